// NVIDIA cuFFTMp: one GPU per rank, slabs along the first axis to slabs along the second, always in
// place in memory of its own (NVSHMEM's symmetric heap).
#include <cufftMp.h>
#include <nvshmem_host.h>

#include <algorithm>

#include "adapters/cuda.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

/// NVSHMEM, started without help of an MPI that it would have to be built for.
class Nvshmem {
 public:
  explicit Nvshmem(MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    if (rank == 0) nvshmemx_get_uniqueid(&id);
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm);
    nvshmemx_set_attr_uniqueid_args(rank, ranks, &id, &attributes);
    if (nvshmemx_hostlib_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0) {
      throw Error("nvshmemx_hostlib_init_attr failed");
    }
  }
  ~Nvshmem() { nvshmemx_hostlib_finalize(); }
  Nvshmem(const Nvshmem&) = delete;
  Nvshmem& operator=(const Nvshmem&) = delete;
};

class CufftMpTransform : public Transform {
 public:
  explicit CufftMpTransform(const Case& problem) : problem_(problem), nvshmem_(problem.comm) {
    const bool real = is_real(problem), single = problem.precision == Precision::f32;
    in_ = input_array(problem, real ? slab_split(0).padded_for_r2c() : slab_split(0));
    out_ = output_array(problem, slab_split(1));
    make(forward_, real ? (single ? CUFFT_R2C : CUFFT_D2Z) : (single ? CUFFT_C2C : CUFFT_Z2Z));
    if (real) make(backward_, single ? CUFFT_C2R : CUFFT_Z2D);
    check(cufftXtMalloc(forward_, &memory_, CUFFT_XT_FORMAT_INPLACE), "cufftXtMalloc");
    host_ = Buffer(std::max(bytes_of(in_), bytes_of(out_)));
  }
  ~CufftMpTransform() override {
    cufftXtFree(memory_);
    cufftDestroy(forward_);
    if (backward_ != 0) cufftDestroy(backward_);
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return host_.data(); }
  void* spectral() override { return host_.data(); }
  void upload(Direction direction) override {
    const bool forward = direction == Direction::forward;
    check(
        cudaMemcpy(device(), host_.data(), bytes_of(forward ? in_ : out_), cudaMemcpyHostToDevice),
        "cudaMemcpy");
    memory_->subFormat = forward ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  }
  void download(Direction direction) override {
    const bool forward = direction == Direction::forward;
    check(
        cudaMemcpy(host_.data(), device(), bytes_of(forward ? out_ : in_), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  }
  void forward() override { execute(forward_, CUFFT_FORWARD); }
  void backward() override { execute(backward_ != 0 ? backward_ : forward_, CUFFT_INVERSE); }
  bool scale_on_device(double factor) override {
    scale_reals(device(), bytes_of(in_), problem_.precision, factor);
    return true;
  }
  std::string device_id() const override { return device_bus_id(); }
  std::size_t device_bytes() const override { return device_bytes_in_use(); }

 private:
  void make(cufftHandle& plan, cufftType type) {
    check(cufftCreate(&plan), "cufftCreate");
    std::size_t workspace = 0;
    check(cufftMpMakePlan3d(
              plan, static_cast<int>(problem_.shape[0]), static_cast<int>(problem_.shape[1]),
              static_cast<int>(problem_.shape[2]), type, nullptr, CUFFT_COMM_NONE, &workspace),
          "cufftMpMakePlan3d");
  }
  void execute(cufftHandle plan, int direction) {
    check(cufftXtExecDescriptor(plan, memory_, memory_, direction), "cufftXtExecDescriptor");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  void* device() const { return memory_->descriptor->data[0]; }

  Case problem_;
  Nvshmem nvshmem_;
  LocalArray in_;
  LocalArray out_;
  cufftHandle forward_ = 0;
  cufftHandle backward_ = 0;
  cudaLibXtDesc* memory_ = nullptr;
  Buffer host_;
};

}  // namespace

Library describe() {
  const int version = CUFFT_VERSION;
  return {"cufftmp",
          std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) + "." +
              std::to_string(version % 100),
          {},
          false,
          "cuda"};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require_layouts(problem, "slab:0", "slab:1");
  choose_device(problem.comm);
  return std::make_unique<CufftMpTransform>(problem);
}

}  // namespace weft::bench
