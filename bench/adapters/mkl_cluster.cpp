// Intel MKL's cluster transform: slabs along the first axis, output with the first two axes
// transposed or in natural order. The half spectrum of real data is complex here, n2/2+1 long.
#include <mkl_cdft.h>

#include <algorithm>

#include "adapters/mkl.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

void check(MKL_LONG status, const char* call) {
  if (status == 0) return;
  throw Error(std::string(call) + ": status " + std::to_string(status) +
              (status < CDFT_MPI_ERROR ? std::string(": ") + DftiErrorMessage(status) : ""));
}

class MklClusterTransform : public Transform {
 public:
  MklClusterTransform(const Case& problem, bool transposed) : problem_(problem) {
    MKL_LONG lengths[3] = {problem.shape[0], problem.shape[1], problem.shape[2]};
    const MKL_LONG axes = 3;
    const bool real = is_real(problem);
    check(DftiCreateDescriptorDM(problem.comm, &handle_,
                                 problem.precision == Precision::f32 ? DFTI_SINGLE : DFTI_DOUBLE,
                                 real ? DFTI_REAL : DFTI_COMPLEX, axes, lengths),
          "DftiCreateDescriptorDM");
    set(DFTI_PLACEMENT, problem.in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    if (transposed) set(DFTI_TRANSPOSE, DFTI_ALLOW);
    check(DftiCommitDescriptorDM(handle_), "DftiCommitDescriptorDM");
    const MKL_LONG size = get(CDFT_LOCAL_SIZE);
    const MKL_LONG n0 = get(CDFT_LOCAL_NX), start0 = get(CDFT_LOCAL_X_START);
    const Index half = spectral_shape(problem)[2];
    const Index row = real ? 2 * half : lengths[2];
    in_ = {{{start0, 0, 0}, {start0 + n0, lengths[1], lengths[2]}},
           {lengths[1] * row, row, 1},
           0,
           n0 * lengths[1] * row,
           {problem.precision, !real}};
    const ElementType complex{problem.precision, true};
    if (transposed) {
      const MKL_LONG n1 = get(CDFT_LOCAL_OUT_NX), start1 = get(CDFT_LOCAL_OUT_X_START);
      // Stored with the first axis fastest.
      out_ = array_of({{0, start1, 0}, {lengths[0], start1 + n1, half}}, {1, 2, 0}, complex);
    } else {
      out_ = array_of({{start0, 0, 0}, {start0 + n0, lengths[1], half}}, {0, 1, 2}, complex);
    }
    // The local size counts complex elements for complex data, pairs of reals for real data.
    const std::size_t bytes =
        std::max({static_cast<std::size_t>(size) * (problem.precision == Precision::f32 ? 8u : 16u),
                  bytes_of(in_), bytes_of(out_)});
    physical_ = Buffer(bytes);
    if (!problem.in_place) spectral_ = Buffer(bytes);
  }
  ~MklClusterTransform() override { DftiFreeDescriptorDM(&handle_); }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return problem_.in_place ? physical_.data() : spectral_.data(); }
  void forward() override {
    check(problem_.in_place ? DftiComputeForwardDM(handle_, physical())
                            : DftiComputeForwardDM(handle_, physical(), spectral()),
          "DftiComputeForwardDM");
  }
  void backward() override {
    check(problem_.in_place ? DftiComputeBackwardDM(handle_, physical())
                            : DftiComputeBackwardDM(handle_, spectral(), physical()),
          "DftiComputeBackwardDM");
  }

 private:
  void set(int parameter, MKL_LONG value) {
    check(DftiSetValueDM(handle_, parameter, value), "DftiSetValueDM");
  }
  MKL_LONG get(int parameter) const {
    MKL_LONG value = 0;
    check(DftiGetValueDM(handle_, parameter, &value), "DftiGetValueDM");
    return value;
  }

  Case problem_;
  DFTI_DESCRIPTOR_DM_HANDLE handle_ = nullptr;
  LocalArray in_;
  LocalArray out_;
  Buffer physical_;
  Buffer spectral_;
};

}  // namespace

Library describe() {
  return {"mkl-cluster", mkl_version(), {{"output", {"transposed", "natural"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  const bool transposed = setting(problem, "output", "transposed") == "transposed";
  require_layouts(problem, "slab:0", transposed ? "slab:1" : "slab:0");
  return std::make_unique<MklClusterTransform>(problem, transposed);
}

}  // namespace weft::bench
