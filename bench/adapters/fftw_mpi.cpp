// FFTW with MPI: slabs along the first axis, output with the first two axes transposed (n1 x n0 x
// n2, the mode that FFTW's manual recommends) or in natural order.
#include <fftw3-mpi.h>

#include <algorithm>

#include "adapters/fftw.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

template <class Real>
struct FftwMpi;

template <>
struct FftwMpi<double> {
  static constexpr auto init = fftw_mpi_init;
  static constexpr auto local_size = fftw_mpi_local_size_many_transposed;
  static constexpr auto dft = fftw_mpi_plan_many_dft;
  static constexpr auto r2c = fftw_mpi_plan_many_dft_r2c;
  static constexpr auto c2r = fftw_mpi_plan_many_dft_c2r;
  static constexpr auto r2r = fftw_mpi_plan_many_r2r;
};

template <>
struct FftwMpi<float> {
  static constexpr auto init = fftwf_mpi_init;
  static constexpr auto local_size = fftwf_mpi_local_size_many_transposed;
  static constexpr auto dft = fftwf_mpi_plan_many_dft;
  static constexpr auto r2c = fftwf_mpi_plan_many_dft_r2c;
  static constexpr auto c2r = fftwf_mpi_plan_many_dft_c2r;
  static constexpr auto r2r = fftwf_mpi_plan_many_r2r;
};

template <class Real>
class FftwMpiTransform : public Transform {
 public:
  FftwMpiTransform(const Case& problem, bool transposed) : problem_(problem) {
    using F = Fftw<Real>;
    using M = FftwMpi<Real>;
    if (problem.threads > 1) F::init_threads();
    M::init();
    if (problem.threads > 1) F::set_threads(problem.threads);
    const bool real = has_kind(problem, Kind::r2c);
    const bool real_to_real = is_real_to_real(problem);
    const ptrdiff_t n[3] = {problem.shape[0], problem.shape[1], problem.shape[2]};
    const ptrdiff_t spectral[3] = {n[0], n[1], real ? n[2] / 2 + 1 : n[2]};
    ptrdiff_t n0 = 0, start0 = 0, n1 = 0, start1 = 0;
    const ptrdiff_t block = FFTW_MPI_DEFAULT_BLOCK;
    const auto count = static_cast<std::size_t>(
        2 * M::local_size(3, spectral, 1, block, block, problem.comm, &n0, &start0, &n1, &start1));
    physical_ = F::alloc_real(count);
    spectral_ = problem.in_place ? physical_ : F::alloc_real(count);
    if (physical_ == nullptr || spectral_ == nullptr) throw std::bad_alloc();
    auto* in = reinterpret_cast<typename F::Complex*>(physical_);
    auto* out = reinterpret_cast<typename F::Complex*>(spectral_);
    const unsigned flags = fftw_flags(setting(problem, "rigor", "estimate")) | FFTW_DESTROY_INPUT;
    const unsigned to = flags | (transposed ? FFTW_MPI_TRANSPOSED_OUT : 0u);
    const unsigned from = flags | (transposed ? FFTW_MPI_TRANSPOSED_IN : 0u);
    if (real_to_real) {
      const auto kinds = fftw_r2r_kinds(problem, Direction::forward);
      const auto inverse = fftw_r2r_kinds(problem, Direction::backward);
      forward_ =
          M::r2r(3, n, 1, block, block, physical_, spectral_, problem.comm, kinds.data(), to);
      backward_ =
          M::r2r(3, n, 1, block, block, spectral_, physical_, problem.comm, inverse.data(), from);
    } else if (real) {
      forward_ = M::r2c(3, n, 1, block, block, physical_, out, problem.comm, to);
      backward_ = M::c2r(3, n, 1, block, block, out, physical_, problem.comm, from);
    } else {
      forward_ = M::dft(3, n, 1, block, block, in, out, problem.comm, FFTW_FORWARD, to);
      backward_ = M::dft(3, n, 1, block, block, out, in, problem.comm, FFTW_BACKWARD, from);
    }
    if (forward_ == nullptr || backward_ == nullptr) throw Error("FFTW made no plan");
    const Index row = real ? 2 * spectral[2] : n[2];  // padded, in place or not
    in_ = {{{start0, 0, 0}, {start0 + n0, n[1], n[2]}},
           {n[1] * row, row, 1},
           0,
           n0 * n[1] * row,
           {problem.precision, !is_real(problem)}};
    const ElementType type{problem.precision, !real_to_real};
    if (transposed) {
      out_ = array_of({{0, start1, 0}, {n[0], start1 + n1, spectral[2]}}, {1, 0, 2}, type);
    } else {
      out_ = array_of({{start0, 0, 0}, {start0 + n0, n[1], spectral[2]}}, {0, 1, 2}, type);
    }
  }
  ~FftwMpiTransform() override {
    Fftw<Real>::destroy(forward_);
    Fftw<Real>::destroy(backward_);
    if (spectral_ != physical_) Fftw<Real>::free(spectral_);
    Fftw<Real>::free(physical_);
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void forward() override { Fftw<Real>::execute(forward_); }
  void backward() override { Fftw<Real>::execute(backward_); }

 private:
  Case problem_;
  Real* physical_ = nullptr;
  Real* spectral_ = nullptr;
  typename Fftw<Real>::Plan forward_ = nullptr;
  typename Fftw<Real>::Plan backward_ = nullptr;
  LocalArray in_;
  LocalArray out_;
};

}  // namespace

Library describe() {
  return {"fftw-mpi",
          fftw_version,
          {{"rigor", {"estimate", "measure", "patient"}}, {"output", {"transposed", "natural"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_3d_or_real(problem);
  require_single(problem);
  require(!has_kind(problem, Kind::none), "axes left alone");
  const bool transposed = setting(problem, "output", "transposed") == "transposed";
  require_layouts(problem, "slab:0", transposed ? "slab:1" : "slab:0");
  if (problem.precision == Precision::f32) {
    return std::make_unique<FftwMpiTransform<float>>(problem, transposed);
  }
  return std::make_unique<FftwMpiTransform<double>>(problem, transposed);
}

}  // namespace weft::bench
