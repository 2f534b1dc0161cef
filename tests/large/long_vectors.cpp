// Distributed transforms of long vectors against direct sums, for machines with much memory: about
// six times that of the vector where ranks share a node. Run by hand:
//
//   mpirun -n 32 long_vectors f64 67108864 1073741824
//
// Exits with 1 when a result is wrong.
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <string>

#include "device/buffer.hpp"
#include "verify/random.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

/// A contiguous block of a vector.
LocalArray block(Index begin, Index size, Precision precision) {
  return {{{begin}, {begin + size}}, {1}, 0, size, {precision, true}};
}

template <class Real>
bool check(Index length, MPI_Comm comm) {
  using Complex = std::complex<Real>;
  const Precision precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  LongTransform transform(comm, {.length = length, .precision = precision});
  const LocalArray in = block(transform.begin(), transform.size(), precision);
  const Index spectrum = transform.spectrum_size();
  const LocalArray out = block(spectrum > 0 ? transform.frequency(0) : 0, spectrum, precision);
  Buffer x(static_cast<std::size_t>(in.allocation_size) * sizeof(Complex));
  Buffer y(static_cast<std::size_t>(out.allocation_size) * sizeof(Complex));
  std::fill(y.data(), y.data() + y.size(), std::byte{0xff});
  fill_random(in, {length}, 1, 7, x.data());
  double seconds[2] = {};
  for (double& each : seconds) {
    MPI_Barrier(comm);
    const double begin = MPI_Wtime();
    transform.forward(reinterpret_cast<const Complex*>(x.data()),
                      reinterpret_cast<Complex*>(y.data()));
    each = MPI_Wtime() - begin;
  }
  MPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, comm);
  constexpr int samples = 3;
  const SampledError error = sampled_error(
      {.shape = {length}, .kinds = {Kind::c2c}, .physical = in, .spectral = out, .comm = comm},
      Direction::forward, x.data(), y.data(), samples);
  const double bound = rounding_error_bound(precision, length);
  const bool good = error.relative_l2 <= bound;
  if (rank == 0) {
    std::printf("%lld points in f%d: forward %.3f s, again %.3f s, error %.2e, bound %.2e: %s\n",
                static_cast<long long>(length), static_cast<int>(8 * sizeof(Real)), seconds[0],
                seconds[1], error.relative_l2, bound, good ? "ok" : "WRONG");
    std::fflush(stdout);
  }
  return good;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = argc > 2;
  try {
    const std::string precision = argc > 1 ? argv[1] : "";
    if (argc < 3 || (precision != "f32" && precision != "f64")) {
      throw weft::Error("usage: long_vectors f32|f64 LENGTH...");
    }
    for (int i = 2; i < argc; ++i) {
      const weft::Index length = std::stoll(argv[i]);
      good = (precision == "f32" ? weft::check<float>(length, MPI_COMM_WORLD)
                                 : weft::check<double>(length, MPI_COMM_WORLD)) &&
             good;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "long_vectors: error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
