// Intel MKL with threads, in one process: what a shared-memory code would use.
#include <mkl_dfti.h>

#include <algorithm>

#include "adapters/mkl.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

void check(MKL_LONG status, const char* call) {
  if (status != 0) throw Error(std::string(call) + ": " + DftiErrorMessage(status));
}

class Descriptor {
 public:
  Descriptor(const Case& problem, const LocalArray& physical, const LocalArray& spectral) {
    const MKL_LONG axes = problem.shape.size();
    MKL_LONG lengths[max_axes];
    for (int axis = 0; axis < axes; ++axis) lengths[axis] = problem.shape[axis];
    const auto precision = problem.precision == Precision::f32 ? DFTI_SINGLE : DFTI_DOUBLE;
    const auto domain = is_real(problem) ? DFTI_REAL : DFTI_COMPLEX;
    check(axes == 1 ? DftiCreateDescriptor(&handle_, precision, domain, axes, lengths[0])
                    : DftiCreateDescriptor(&handle_, precision, domain, axes, lengths),
          "DftiCreateDescriptor");
    set(DFTI_PLACEMENT, problem.in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    set(DFTI_THREAD_LIMIT, problem.threads);
    set_strides(DFTI_FWD_STRIDES, physical);
    set_strides(DFTI_BWD_STRIDES, spectral);
    if (problem.batch > 1) {
      set(DFTI_NUMBER_OF_TRANSFORMS, problem.batch);
      set(DFTI_FWD_DISTANCE, physical.strides.back());
      set(DFTI_BWD_DISTANCE, spectral.strides.back());
    }
    check(DftiCommitDescriptor(handle_), "DftiCommitDescriptor");
  }
  ~Descriptor() { DftiFreeDescriptor(&handle_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  DFTI_DESCRIPTOR_HANDLE get() const { return handle_; }

 private:
  void set(DFTI_CONFIG_PARAM parameter, MKL_LONG value) {
    check(DftiSetValue(handle_, parameter, value), "DftiSetValue");
  }
  void set_strides(DFTI_CONFIG_PARAM parameter, const LocalArray& array) {
    MKL_LONG strides[max_axes + 1] = {0};
    for (int axis = 0; axis < array.box.axes(); ++axis) strides[axis + 1] = array.strides[axis];
    check(DftiSetValue(handle_, parameter, strides), "DftiSetValue");
  }

  DFTI_DESCRIPTOR_HANDLE handle_ = nullptr;
};

class MklThreadsTransform : public Transform {
 public:
  explicit MklThreadsTransform(const Case& problem)
      : problem_(problem),
        in_(input_array(problem, input_layout(problem))),
        out_(output_array(problem, slab_split(0))),
        descriptor_(problem, in_, out_),
        physical_(std::max(bytes_of(in_), problem.in_place ? bytes_of(out_) : 0)),
        spectral_(problem.in_place ? 0 : bytes_of(out_)) {}

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return problem_.in_place ? physical_.data() : spectral_.data(); }
  void forward() override {
    check(problem_.in_place ? DftiComputeForward(descriptor_.get(), physical())
                            : DftiComputeForward(descriptor_.get(), physical(), spectral()),
          "DftiComputeForward");
  }
  void backward() override {
    check(problem_.in_place ? DftiComputeBackward(descriptor_.get(), physical())
                            : DftiComputeBackward(descriptor_.get(), spectral(), physical()),
          "DftiComputeBackward");
  }

 private:
  static LayoutSpec input_layout(const Case& problem) {
    const LayoutSpec layout = slab_split(0);
    return problem.in_place && is_real(problem) ? layout.padded_for_r2c() : layout;
  }

  Case problem_;
  LocalArray in_;
  LocalArray out_;
  Descriptor descriptor_;
  Buffer physical_;
  Buffer spectral_;
};

}  // namespace

Library describe() {
  return {"mkl-threads", mkl_version(), {}, true};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  for (int axis = 0; axis < problem.shape.size(); ++axis) {
    const Kind kind = problem.kinds[axis];
    require(kind == Kind::c2c || (kind == Kind::r2c && axis + 1 == problem.shape.size()),
            "kinds " + to_string(problem.kinds));
  }
  mkl_set_num_threads(problem.threads);
  return std::make_unique<MklThreadsTransform>(problem);
}

}  // namespace weft::bench
