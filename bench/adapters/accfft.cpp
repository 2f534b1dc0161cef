// AccFFT: pencils in natural order, blocks of ceil(n/p), which leave the last ranks less. It counts
// bytes in int.
#include <omp.h>

#include <algorithm>
#include <limits>

#include "adapters/fftw.hpp"
#include "adapters/pencils.hpp"
#include "layouts.hpp"
// Last, for they define macros with common names.
#include <accfft.h>
#include <accfftf.h>

namespace weft::bench {

namespace {

/// The library's names in one precision.
template <class Real>
struct Names;

template <>
struct Names<double> {
  using Plan = accfft_plan;
  using Complex = ::Complex;
  static constexpr auto size_c2c = accfft_local_size_dft_c2c;
  static constexpr auto size_r2c = accfft_local_size_dft_r2c;
  static Plan* c2c(int* n, Complex* in, Complex* out, MPI_Comm comm, unsigned flags) {
    return accfft_plan_dft_3d_c2c(n, in, out, comm, flags);
  }
  static Plan* r2c(int* n, double* in, double* out, MPI_Comm comm, unsigned flags) {
    return accfft_plan_dft_3d_r2c(n, in, out, comm, flags);
  }
  static void execute_c2c(Plan* plan, int sign, Complex* in, Complex* out) {
    accfft_execute_c2c(plan, sign, in, out);
  }
  static void execute_r2c(Plan* plan, double* in, Complex* out) {
    accfft_execute_r2c(plan, in, out);
  }
  static void execute_c2r(Plan* plan, Complex* in, double* out) {
    accfft_execute_c2r(plan, in, out);
  }
};

template <>
struct Names<float> {
  using Plan = accfft_planf;
  using Complex = Complexf;
  static constexpr auto size_c2c = accfft_local_size_dft_c2cf;
  static constexpr auto size_r2c = accfft_local_size_dft_r2cf;
  static Plan* c2c(int* n, Complex* in, Complex* out, MPI_Comm comm, unsigned flags) {
    return accfft_plan_dft_3d_c2cf(n, in, out, comm, flags);
  }
  static Plan* r2c(int* n, float* in, float* out, MPI_Comm comm, unsigned flags) {
    return accfft_plan_dft_3d_r2cf(n, in, out, comm, flags);
  }
  static void execute_c2c(Plan* plan, int sign, Complex* in, Complex* out) {
    accfft_execute_c2cf(plan, sign, in, out);
  }
  static void execute_r2c(Plan* plan, float* in, Complex* out) {
    accfft_execute_r2cf(plan, in, out);
  }
  static void execute_c2r(Plan* plan, Complex* in, float* out) {
    accfft_execute_c2rf(plan, in, out);
  }
};

unsigned flags_of(const Case& problem) {
  const std::string rigor = setting(problem, "rigor", "measure");
  if (rigor == "patient") return ACCFFT_PATIENT;
  return rigor == "estimate" ? ACCFFT_ESTIMATE : ACCFFT_MEASURE;
}

Box box_of(const int (&start)[3], const int (&size)[3]) {
  return {{start[0], start[1], start[2]},
          {start[0] + size[0], start[1] + size[1], start[2] + size[2]}};
}

template <class Real>
class AccFftTransform : public Transform {
 public:
  AccFftTransform(const Case& problem, const Extents& grid)
      : problem_(problem), real_(is_real(problem)) {
    int parts[2] = {static_cast<int>(grid[0]), static_cast<int>(grid[1])};
    accfft_create_comm(problem.comm, parts, &comm_);
    omp_set_num_threads(problem.threads);
    Fftw<Real>::init_threads();
    Fftw<Real>::set_threads(problem.threads);
    int n[3] = {static_cast<int>(problem.shape[0]), static_cast<int>(problem.shape[1]),
                static_cast<int>(problem.shape[2])};
    int in_size[3], in_start[3], out_size[3], out_start[3];
    const int bytes =
        (real_ ? N::size_r2c : N::size_c2c)(n, in_size, in_start, out_size, out_start, comm_);
    in_ = array_of(box_of(in_start, in_size), {0, 1, 2}, {problem.precision, !real_});
    if (real_ && problem.in_place) {
      const Index row = 2 * (problem.shape[2] / 2 + 1);
      in_.strides = {in_size[1] * row, row, 1};
      in_.allocation_size = in_size[0] * in_size[1] * row;
    }
    out_ = array_of(box_of(out_start, out_size), {0, 1, 2}, {problem.precision, true});
    physical_ = accfft_alloc(bytes);
    spectral_ = problem.in_place ? physical_ : accfft_alloc(bytes);
    plan_ = real_ ? N::r2c(n, reals(physical_), reals(spectral_), comm_, flags_of(problem))
                  : N::c2c(n, complexes(physical_), complexes(spectral_), comm_, flags_of(problem));
  }
  ~AccFftTransform() override {
    accfft_destroy_plan(plan_);
    if (spectral_ != physical_) accfft_free(spectral_);
    accfft_free(physical_);
    MPI_Comm_free(&comm_);
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void forward() override {
    if (real_) {
      N::execute_r2c(plan_, reals(physical_), complexes(spectral_));
    } else {
      N::execute_c2c(plan_, ACCFFT_FORWARD, complexes(physical_), complexes(spectral_));
    }
  }
  void backward() override {
    if (real_) {
      N::execute_c2r(plan_, complexes(spectral_), reals(physical_));
    } else {
      N::execute_c2c(plan_, ACCFFT_BACKWARD, complexes(spectral_), complexes(physical_));
    }
  }

 private:
  using N = Names<Real>;

  static Real* reals(void* data) { return static_cast<Real*>(data); }
  static typename N::Complex* complexes(void* data) {
    return static_cast<typename N::Complex*>(data);
  }

  Case problem_;
  bool real_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  typename N::Plan* plan_ = nullptr;
  void* physical_ = nullptr;
  void* spectral_ = nullptr;
  LocalArray in_;
  LocalArray out_;
};

}  // namespace

Library describe() {
  return {"accfft", "unversioned", {{"rigor", {"measure", "estimate", "patient"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  const Extents grid = chosen_grid(problem);
  require_fitting(problem, grid);
  const auto largest = [&](int split, int other) {
    const Extents& n = problem.shape;
    const auto part = [](Index length, Index parts) { return (length + parts - 1) / parts; };
    return part(n[split], grid[0]) * part(n[split + 1], grid[1]) * (n[other] + 2);
  };
  const Index element = problem.precision == Precision::f32 ? 8 : 16;
  require(std::max(largest(0, 2), largest(1, 0)) * element <= std::numeric_limits<int>::max(),
          "more than 2 GiB per rank");
  if (problem.precision == Precision::f32) {
    return std::make_unique<AccFftTransform<float>>(problem, grid);
  }
  return std::make_unique<AccFftTransform<double>>(problem, grid);
}

}  // namespace weft::bench
