// A program in C++11 as codes of molecular dynamics use heFFTe: bricks of a grid from their own
// indices, a plan behind a pointer, one workspace, arrays of reals for complex numbers, arrays of
// pairs as FFTW has them, and types of their own.
#include <heffte.h>
#include <heffte_backends.h>
#include <heffte_fft3d.h>
#include <heffte_fft3d_r2c.h>
#include <heffte_geometry.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

static_assert(__cplusplus < 201402L, "to be compiled as C++11");

struct OwnComplex {
  double re, im;
};
namespace heffte {
template <>
struct is_zcomplex<OwnComplex> : std::true_type {};
}  // namespace heffte

static_assert(std::is_same<heffte::fft_output<float>::type, std::complex<float>>::value, "");
static_assert(std::is_same<heffte::fft3d<heffte::backend::fftw>::buffer_container<float>,
                           std::vector<float>>::value,
              "");
static_assert(heffte::backend::check_types<heffte::backend::fftw, double, OwnComplex>::value, "");
static_assert(!heffte::backend::check_types<heffte::backend::fftw, float, OwnComplex>::value, "");
static_assert(!heffte::backend::check_types<heffte::backend::fftw_cos, float, double>::value, "");

namespace {

using Backend = heffte::backend::default_backend<heffte::tag::cpu>::type;

class Grid {
 public:
  Grid(MPI_Comm comm, int const low[3], int const high[3], bool collective, bool permute) {
    heffte::plan_options options = heffte::default_options<Backend>();
    options.algorithm =
        collective ? heffte::reshape_algorithm::alltoallv : heffte::reshape_algorithm::p2p_plined;
    options.use_reorder = permute;
    plan_ = std::unique_ptr<heffte::fft3d<Backend>>(new heffte::fft3d<Backend>(
        heffte::box3d<>({low[0], low[1], low[2]}, {high[0], high[1], high[2]}),
        heffte::box3d<>({low[0], low[1], low[2]}, {high[0], high[1], high[2]}), comm, options));
    workspace_.resize(plan_->size_workspace());
  }
  void forward(double* in, double* out) {
    plan_->forward(reinterpret_cast<std::complex<double>*>(in),
                   reinterpret_cast<std::complex<double>*>(out), workspace_.data());
  }
  void backward(double* in, double* out) {
    plan_->backward(reinterpret_cast<std::complex<double>*>(in),
                    reinterpret_cast<std::complex<double>*>(out), workspace_.data(),
                    heffte::scale::full);
  }
  heffte::fft3d<Backend> const& plan() const { return *plan_; }

 private:
  std::unique_ptr<heffte::fft3d<Backend>> plan_;
  std::vector<std::complex<double>> workspace_;
};

bool close(double a, double b) {
  return std::fabs(a - b) < 1e-12;
}

/// A charge at the origin: all of its coefficients are 1.
bool check(MPI_Comm comm) {
  int const n[3] = {12, 9, 10};
  heffte::box3d<> const world({0, 0, 0}, {n[0] - 1, n[1] - 1, n[2] - 1});
  std::array<int, 3> const ranks =
      heffte::proc_setup_min_surface(world, heffte::mpi::comm_size(comm));
  heffte::box3d<> const mine = heffte::split_world(world, ranks)[heffte::mpi::comm_rank(comm)];
  Grid grid(comm, mine.low.data(), mine.high.data(), false, true);
  std::vector<double> charge(2 * mine.count()), potential(2 * mine.count());
  bool const has_origin = mine.low == std::array<int, 3>{{0, 0, 0}};
  if (has_origin) charge[0] = 1;
  grid.forward(charge.data(), potential.data());
  bool good = true;
  for (std::size_t i = 0; i < potential.size(); i += 2) {
    good = good && close(potential[i], 1) && close(potential[i + 1], 0);
  }
  grid.backward(potential.data(), potential.data());
  for (std::size_t i = 0; i < potential.size(); ++i) good = good && close(potential[i], charge[i]);

  std::vector<OwnComplex> own(mine.count(), OwnComplex{0, 0});
  if (has_origin) own[0].im = 1;
  grid.plan().forward(own.data(), own.data());
  for (OwnComplex z : own) good = good && close(z.re, 0) && close(z.im, 1);
  typedef double pair[2];
  std::unique_ptr<pair[]> pairs(new pair[mine.count()]);
  grid.plan().forward(own.data(), pairs.get());
  for (long long i = 0; i < mine.count(); ++i) {
    good = good && close(pairs[i][0], 0) && close(pairs[i][1], has_origin && i == 0 ? 1080 : 0);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int good = check(MPI_COMM_WORLD) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (heffte::mpi::world_rank(0)) std::cout << (good != 0 ? "ok" : "wrong numbers") << std::endl;
  MPI_Finalize();
  return good != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
