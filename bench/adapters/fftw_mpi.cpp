#include <fftw3-mpi.h>

#include "adapters/entries.hpp"

namespace weft::bench {

namespace {

unsigned flags(Rigor rigor) {
  switch (rigor) {
    case Rigor::estimate:
      return FFTW_ESTIMATE;
    case Rigor::measure:
      return FFTW_MEASURE;
    case Rigor::patient:
      return FFTW_PATIENT;
  }
  return FFTW_ESTIMATE;
}

/// Transposed output: n1/P x n0 x n2, FFTW's fastest mode.
class FftwMpiAdapter : public Adapter {
 public:
  FftwMpiAdapter(const Case& problem, bool in_place) : problem_(problem) {
    fftw_mpi_init();
    const auto& n = problem.shape;
    const ptrdiff_t last = problem.real ? n[2] / 2 + 1 : n[2];
    ptrdiff_t n0 = 0, start0 = 0, n1 = 0, start1 = 0;
    const ptrdiff_t count = fftw_mpi_local_size_3d_transposed(n[0], n[1], last, problem.comm, &n0,
                                                              &start0, &n1, &start1);
    physical_ = fftw_alloc_complex(static_cast<std::size_t>(count));
    spectral_ = in_place ? physical_ : fftw_alloc_complex(static_cast<std::size_t>(count));
    const unsigned out = flags(problem.rigor) | FFTW_MPI_TRANSPOSED_OUT;
    const unsigned in = flags(problem.rigor) | FFTW_MPI_TRANSPOSED_IN;
    if (problem.real) {
      auto* reals = reinterpret_cast<double*>(physical_);
      forward_ = fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], reals, spectral_, problem.comm, out);
      backward_ = fftw_mpi_plan_dft_c2r_3d(n[0], n[1], n[2], spectral_, reals, problem.comm, in);
    } else {
      forward_ = fftw_mpi_plan_dft_3d(n[0], n[1], n[2], physical_, spectral_, problem.comm,
                                      FFTW_FORWARD, out);
      backward_ = fftw_mpi_plan_dft_3d(n[0], n[1], n[2], spectral_, physical_, problem.comm,
                                       FFTW_BACKWARD, in);
    }
    const Index row = problem.real ? 2 * (n[2] / 2 + 1) : n[2];
    physical_array_ = {{{start0, 0, 0}, {start0 + n0, n[1], n[2]}},
                       {n[1] * row, row, 1},
                       0,
                       n0 * n[1] * row,
                       {Precision::f64, !problem.real}};
    spectral_array_ = {{{0, start1, 0}, {n[0], start1 + n1, last}},
                       {last, n[0] * last, 1},
                       0,
                       n1 * n[0] * last,
                       {Precision::f64, true}};
  }
  ~FftwMpiAdapter() override {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
    if (spectral_ != physical_) fftw_free(spectral_);
    fftw_free(physical_);
  }
  FftwMpiAdapter(const FftwMpiAdapter&) = delete;
  FftwMpiAdapter& operator=(const FftwMpiAdapter&) = delete;

  TransformDescription describe() const override {
    return {problem_.shape,  Kinds(problem_.real ? r2c : c2c).resolve(3),
            Norm::backward,  1,
            physical_array_, spectral_array_,
            problem_.comm,   1};
  }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void forward() override { fftw_execute(forward_); }
  void backward() override { fftw_execute(backward_); }

 private:
  Case problem_;
  fftw_complex* physical_ = nullptr;
  fftw_complex* spectral_ = nullptr;
  fftw_plan forward_ = nullptr;
  fftw_plan backward_ = nullptr;
  LocalArray physical_array_;
  LocalArray spectral_array_;
};

}  // namespace

std::vector<AdapterEntry> fftw_mpi_entries() {
  return {{"fftw-mpi transposed",
           [](const Case& problem) -> std::unique_ptr<Adapter> {
             return std::make_unique<FftwMpiAdapter>(problem, false);
           }},
          {"fftw-mpi transposed, in place", [](const Case& problem) -> std::unique_ptr<Adapter> {
             return std::make_unique<FftwMpiAdapter>(problem, true);
           }}};
}

}  // namespace weft::bench
