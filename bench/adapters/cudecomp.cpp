// NVIDIA cuDecomp: one GPU per rank. cuDecomp exchanges pencils, cuFFT transforms their lines, both
// on contiguous lines as in cuDecomp's own examples. Axes that need no exchange between them are
// transformed together.
#include <algorithm>

#include "adapters/cuda.hpp"
#include "adapters/cudecomp_pencils.hpp"
#include "device/buffer.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

struct Exchange {
  decltype(&cudecompTransposeXToY) forward, backward;
};

class CudecompTransform : public Transform {
 public:
  /// An empty grid is left to cuDecomp's autotuning.
  CudecompTransform(const Case& problem, const Extents& grid)
      : problem_(problem), pencils_(problem, grid), in_(pencils_.in()), out_(pencils_.out()) {
    transforms();
    allocate();
  }
  ~CudecompTransform() override { cudaDeviceSynchronize(); }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return host_physical_.data(); }
  void* spectral() override { return (problem_.in_place ? host_physical_ : host_spectral_).data(); }
  void upload(Direction direction) override {
    const bool forward = direction == Direction::forward;
    check(cudaMemcpy(forward ? a_.get() : b(), forward ? physical() : spectral(),
                     bytes_of(forward ? in_ : out_), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  void download(Direction direction) override {
    const bool forward = direction == Direction::forward;
    check(cudaMemcpy(forward ? spectral() : physical(), forward ? b() : a_.get(),
                     bytes_of(forward ? out_ : in_), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
  }
  // Exchanges go from one array to the other, so that with one of them only the transforms at both
  // ends change the array, with two the first only.
  void forward() override {
    first_->run(a_.get(), b(), CUFFT_FORWARD);
    void* here = b();
    for (std::size_t i = 0; i < exchanges_.size(); ++i) {
      here = exchanged(exchanges_[i].forward, here);
      void* next = i + 1 == exchanges_.size() ? b() : here;
      later_[i]->run(here, next, CUFFT_FORWARD);
      here = next;
    }
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  void backward() override {
    void* here = b();
    for (std::size_t i = exchanges_.size(); i-- > 0;) {
      void* next = exchanges_.size() == 1 ? a_.get() : here;
      later_[i]->run(here, next, CUFFT_INVERSE);
      here = exchanged(exchanges_[i].backward, next);
    }
    (first_back_ ? first_back_ : first_)->run(here, a_.get(), CUFFT_INVERSE);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  bool scale_on_device(double factor) override {
    scale_reals(a_.get(), bytes_of(in_), problem_.precision, factor);
    return true;
  }
  std::string device_id() const override { return device_bus_id(); }
  std::size_t device_bytes() const override { return device_bytes_in_use(); }

 private:
  void* b() const { return problem_.in_place ? a_.get() : b_.get(); }

  void* exchanged(decltype(&cudecompTransposeXToY) exchange, void* from) const {
    void* to = from == b() ? a_.get() : b();
    check(exchange(pencils_.handle(), pencils_.grid(), from, to, work_.get(), pencils_.data_type(),
                   nullptr, nullptr, nullptr, nullptr, nullptr),
          "cudecompTranspose");
    return to;
  }

  void transforms() {
    const Extents& n = problem_.shape;
    const bool whole_planes = pencils_.whole_planes(), whole_columns = pencils_.whole_columns();
    const bool single = problem_.precision == Precision::f32;
    const cufftType complex = single ? CUFFT_C2C : CUFFT_Z2Z;
    std::vector<long long> together = {n[2]};
    if (whole_planes) together.insert(together.begin(), n[1]);
    if (whole_planes && whole_columns) together.insert(together.begin(), n[0]);
    long long batch = in_.box.count();
    for (const long long length : together) batch /= length;
    const long long row = spectral_shape(problem_)[2];
    if (is_real(problem_)) {
      first_ = std::make_unique<Lines>(together, pencils_.row(), row, batch,
                                       single ? CUFFT_R2C : CUFFT_D2Z);
      first_back_ = std::make_unique<Lines>(together, row, pencils_.row(), batch,
                                            single ? CUFFT_C2R : CUFFT_Z2D);
    } else {
      first_ = std::make_unique<Lines>(together, row, row, batch, complex);
    }
    if (!whole_planes) {
      exchanges_.push_back({cudecompTransposeXToY, cudecompTransposeYToX});
      std::vector<long long> axes = {n[1]};
      Index lines = pencils_.middle_lines();
      if (whole_columns) {
        axes.insert(axes.begin(), n[0]);
        lines /= n[0];
      }
      later_.push_back(std::make_unique<Lines>(axes, n[1], n[1], lines, complex));
    }
    if (!whole_columns) {
      exchanges_.push_back({cudecompTransposeYToZ, cudecompTransposeZToY});
      later_.push_back(std::make_unique<Lines>(std::vector<long long>{n[0]}, n[0], n[0],
                                               out_.box.count() / n[0], complex));
    }
  }

  void allocate() {
    const std::size_t element = problem_.precision == Precision::f32 ? 8 : 16;
    const std::size_t bytes = std::max(
        {static_cast<std::size_t>(pencils_.elements()) * element, bytes_of(in_), bytes_of(out_)});
    a_ = device_memory(bytes);
    host_physical_ = Buffer(problem_.in_place ? bytes : bytes_of(in_));
    if (!problem_.in_place) {
      b_ = device_memory(bytes);
      host_spectral_ = Buffer(bytes_of(out_));
    }
    std::int64_t exchange = 0;
    check(cudecompGetTransposeWorkspaceSize(pencils_.handle(), pencils_.grid(), &exchange),
          "cudecompGetTransposeWorkspaceSize");
    std::vector<Lines*> all = {first_.get()};
    if (first_back_) all.push_back(first_back_.get());
    for (const auto& lines : later_) all.push_back(lines.get());
    // The same on all ranks, as NVSHMEM's memory has to be.
    auto most = static_cast<unsigned long long>(exchange) * element;
    for (const Lines* lines : all) most = std::max<unsigned long long>(most, lines->work_bytes());
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, problem_.comm);
    void* work = nullptr;
    check(cudecompMalloc(pencils_.handle(), pencils_.grid(), &work, most), "cudecompMalloc");
    work_ = {work, FreeWork{pencils_.handle(), pencils_.grid()}};
    for (Lines* lines : all) lines->set_work(work);
  }

  Case problem_;
  CudecompPencils pencils_;
  LocalArray in_, out_;
  DeviceMemory a_, b_;
  std::unique_ptr<void, FreeWork> work_;
  std::unique_ptr<Lines> first_, first_back_;
  std::vector<std::unique_ptr<Lines>> later_;
  std::vector<Exchange> exchanges_;
  Buffer host_physical_, host_spectral_;
};

}  // namespace

Library describe() {
  return {"cudecomp",
          std::to_string(CUDECOMP_MAJOR) + "." + std::to_string(CUDECOMP_MINOR) + "." +
              std::to_string(CUDECOMP_PATCH),
          {{"backend",
            {"mpi_p2p", "mpi_p2p_pl", "mpi_a2a", "nccl", "nccl_pl", "nvshmem", "nvshmem_pl",
             "nvshmem_sm"}},
           // Tries all backends, and all process grids where the case leaves them open.
           {"autotune", {"no", "yes"}}},
          false,
          "cuda"};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  const std::string backend = setting(problem, "backend", "");
  require(backends.contains(backend), "backend " + backend);
  const bool autotune = setting(problem, "autotune", "") == "yes";
  require(!autotune || backend == "mpi_p2p", "autotuning of backend " + backend);
  require(autotune || !backend.starts_with("mpi") || mpi_takes_device_memory(),
          "backend " + backend + " with an MPI that is not aware of CUDA");
  const Extents grid = autotune ? asked_grid(problem) : chosen_grid(problem);
  if (!grid.empty()) require_fitting(problem, grid);
  choose_device(problem.comm);
  return std::make_unique<CudecompTransform>(problem, grid);
}

}  // namespace weft::bench
