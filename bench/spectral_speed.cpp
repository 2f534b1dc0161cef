// What is made of transforms, beside the transforms it needs: convolution of two real fields beside
// its three transforms, cosine transforms and those with two thirds of the modes beside whole
// Fourier transforms, and a long vector beside FFTW's. What is compared takes turns; printed are
// medians in milliseconds (of the slowest rank) and of the ratios. Of pairs forward and backward.
//
//   mpirun -n 2 spectral_speed [points along each axis, by default 256] [log2 of the vector, 24]
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "verify/random.hpp"
#include "weft/weft.hpp"
#ifdef WEFT_BENCH_FFTW_MPI
#include <fftw3-mpi.h>
#endif

namespace weft::bench {

namespace {

using Complex = std::complex<double>;
constexpr int rounds = 15;

bool is_first_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double seconds_of(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void compare(const std::string& name, const std::function<void()>& work, const std::string& beside,
             const std::function<void()>& other) {
  std::vector<double> first, second, ratio;
  for (int round = 0; round < rounds + 1; ++round) {
    const double a = seconds_of(work), b = seconds_of(other);
    if (round == 0) continue;  // memory is touched for the first time
    first.push_back(a);
    second.push_back(b);
    ratio.push_back(a / b);
  }
  if (!is_first_rank()) return;
  std::printf("| %s | %.4g | %s | %.4g | %.3f |\n", name.c_str(), 1e3 * median(first),
              beside.c_str(), 1e3 * median(second), median(ratio));
}

/// A plan with arrays of its own.
struct Pair {
  explicit Pair(const Problem& problem) : plan(MPI_COMM_WORLD, problem) {
    const auto numbers = [](const LocalArray& array) {
      return static_cast<std::size_t>(array.allocation_size) * (array.type.complex ? 2 : 1);
    };
    in.resize(numbers(plan.input()));
    out.resize(numbers(plan.output()));
    fill_random(plan.input(), plan.info().input_points, 1, 1,
                reinterpret_cast<std::byte*>(in.data()));
  }

  void run() {
    forward();
    backward();
  }
  void forward() {
    with_types([&](auto* physical, auto* spectral) { plan.forward(physical, spectral); });
  }
  void backward() {
    with_types([&](auto* physical, auto* spectral) { plan.backward(spectral, physical); });
  }

  template <class Work>
  void with_types(const Work& work) {
    auto* const complex_in = reinterpret_cast<Complex*>(in.data());
    auto* const complex_out = reinterpret_cast<Complex*>(out.data());
    if (plan.input().type.complex) {
      work(complex_in, complex_out);
    } else if (plan.output().type.complex) {
      work(in.data(), complex_out);
    } else {
      work(in.data(), out.data());
    }
  }

  Plan plan;
  std::vector<double> in, out;
};

Problem cube(Index n, const Kinds& kinds, Index keep) {
  Problem problem;
  problem.shape = {n, n, n};
  problem.kinds = kinds;
  problem.input = slab_split(0);
  problem.output = slab_split(1);
  problem.modes = {keep, keep, keep};
  return problem;
}

void compare_cubes(Index n) {
  Pair c2c_pair(cube(n, c2c, n));
  {
    Pair cosines(cube(n, Kinds(Axes<Kind>::filled(3, Kind::dct2)), n));
    compare(
        "dct2", [&] { cosines.run(); }, "c2c", [&] { c2c_pair.run(); });
  }
  const Index low = 2 * n / 3;
  {
    Pair kept(cube(n, c2c, low));
    compare(
        "c2c, 2/3 of the modes", [&] { kept.run(); }, "c2c", [&] { c2c_pair.run(); });
    if (is_first_rank()) {
      std::printf("| bytes sent, MB | %.4g | c2c | %.4g | %.3f |\n",
                  1e-6 * static_cast<double>(kept.plan.info().bytes_sent),
                  1e-6 * static_cast<double>(c2c_pair.plan.info().bytes_sent),
                  static_cast<double>(kept.plan.info().bytes_sent) /
                      static_cast<double>(c2c_pair.plan.info().bytes_sent));
    }
  }
  Pair real(cube(n, r2c, n));
  {
    Pair kept(cube(n, r2c, low));
    compare(
        "r2c, 2/3 of the modes", [&] { kept.run(); }, "r2c", [&] { real.run(); });
  }
  {
    Convolution<double> convolution(MPI_COMM_WORLD, {.first = {n, n, n}});
    std::vector<double> b = real.in, c = real.in;
    compare(
        "convolution of real fields",
        [&] { convolution.convolve(real.in.data(), b.data(), c.data()); }, "its 3 transforms",
        [&] {
          real.forward();
          real.forward();
          real.backward();
        });
  }
}

#ifdef WEFT_BENCH_FFTW_MPI
/// FFTW's one-dimensional transform of a distributed vector.
class FftwLine {
 public:
  FftwLine(Index length, bool transposed) {
    fftw_mpi_init();
    const unsigned flags = FFTW_MEASURE;
    ptrdiff_t n_in = 0, begin_in = 0, n_out = 0, begin_out = 0;
    const ptrdiff_t size = fftw_mpi_local_size_1d(length, MPI_COMM_WORLD, FFTW_FORWARD,
                                                  flags | order(transposed, FFTW_MPI_SCRAMBLED_OUT),
                                                  &n_in, &begin_in, &n_out, &begin_out);
    in_ = fftw_alloc_complex(static_cast<std::size_t>(size));
    out_ = fftw_alloc_complex(static_cast<std::size_t>(size));
    forward_ = fftw_mpi_plan_dft_1d(length, in_, out_, MPI_COMM_WORLD, FFTW_FORWARD,
                                    flags | order(transposed, FFTW_MPI_SCRAMBLED_OUT));
    backward_ = fftw_mpi_plan_dft_1d(length, out_, in_, MPI_COMM_WORLD, FFTW_BACKWARD,
                                     flags | order(transposed, FFTW_MPI_SCRAMBLED_IN));
    auto* const numbers = reinterpret_cast<double*>(in_);
    std::fill(numbers, numbers + 2 * size, 1e-3);
  }
  ~FftwLine() {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
    fftw_free(in_);
    fftw_free(out_);
  }
  FftwLine(const FftwLine&) = delete;
  FftwLine& operator=(const FftwLine&) = delete;

  void run() {
    fftw_execute(forward_);
    fftw_execute(backward_);
  }

 private:
  static unsigned order(bool transposed, unsigned flag) { return transposed ? flag : 0; }

  fftw_complex* in_ = nullptr;
  fftw_complex* out_ = nullptr;
  fftw_plan forward_ = nullptr, backward_ = nullptr;
};

void compare_lines(int log2_length) {
  const Index length = Index{1} << log2_length;
  for (const bool transposed : {false, true}) {
    LongTransform line(MPI_COMM_WORLD,
                       {.length = length,
                        .order = transposed ? LongOrder::transposed : LongOrder::natural,
                        .norm = Norm::ortho});
    std::vector<Complex> x(static_cast<std::size_t>(line.size()), 1e-3);
    std::vector<Complex> y(static_cast<std::size_t>(line.spectrum_size()));
    FftwLine fftw(length, transposed);
    compare(
        "vector of 2^" + std::to_string(log2_length) + (transposed ? ", transposed" : ", natural"),
        [&] {
          line.forward(x, y);
          line.backward(y, x);
        },
        "FFTW-MPI", [&] { fftw.run(); });
  }
}
#else
void compare_lines(int) {
  if (is_first_rank()) std::printf("| vector: not measured, there is no FFTW-MPI |\n");
}
#endif

}  // namespace

}  // namespace weft::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const weft::Index points = argc > 1 ? std::atoll(argv[1]) : 256;
  const int log2_length = argc > 2 ? std::atoi(argv[2]) : 24;
  if (weft::bench::is_first_rank()) {
    std::printf("| pair of transforms | ms | beside | ms | ratio |\n|---|---|---|---|---|\n");
  }
  weft::bench::compare_cubes(points);
  weft::bench::compare_lines(log2_length);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
