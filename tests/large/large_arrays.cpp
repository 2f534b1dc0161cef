// Arrays and messages of more than 2^31 elements and bytes, for machines with 128 GiB of memory.
// Run by hand: mpirun -n 2 large_arrays. Exits with 1 when a result is wrong.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "device/buffer.hpp"
#include "verify/random.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

template <class In>
struct Arrays {
  explicit Arrays(const Plan& plan)
      : in(static_cast<std::size_t>(plan.input().allocation_size) * sizeof(In)),
        out(static_cast<std::size_t>(plan.output().allocation_size) * sizeof(std::complex<float>)) {
  }
  Buffer in;
  Buffer out;
};

template <class In>
bool check(const std::string& name, const Problem& problem, const Options& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin = MPI_Wtime();
  Plan plan(MPI_COMM_WORLD, problem, options);
  Arrays<In> arrays(plan);
  fill_random(plan.input(), problem.shape, 1, 7, arrays.in.data());
  const double filled = MPI_Wtime();
  plan.forward(reinterpret_cast<const In*>(arrays.in.data()),
               reinterpret_cast<std::complex<float>*>(arrays.out.data()));
  const double done = MPI_Wtime();
  const SampledError error =
      sampled_error(plan, Direction::forward, arrays.in.data(), arrays.out.data());
  const double bound = rounding_error_bound(problem.precision, product(problem.shape));
  Index largest[2] = {plan.input().allocation_size, plan.info().bytes_sent};
  MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  const bool good = error.relative_l2 <= bound;
  if (rank == 0) {
    std::printf(
        "%s: %lld elements and %lld bytes sent by a rank, plan and fill %.1f s, forward "
        "%.1f s, check %.1f s, error %.2e, bound %.2e: %s\n",
        name.c_str(), static_cast<long long>(largest[0]), static_cast<long long>(largest[1]),
        filled - begin, done - filled, MPI_Wtime() - done, error.relative_l2, bound,
        good ? "ok" : "WRONG");
    std::fflush(stdout);
  }
  return good;
}

bool run() {
  bool good = true;
  using Complex = std::complex<float>;
  const MPI_Comm comm = MPI_COMM_WORLD;
  // One message of the whole array: more than 2^31 elements.
  const Extents moved{46341, 46349};
  const std::vector<Box> first{whole(moved), empty_box(2)};
  const std::vector<Box> second{empty_box(2), whole(moved)};
  for (const char* exchange : {"alltoallv", "alltoallw", "p2p", "p2p_pipelined"}) {
    good = check<Complex>(std::string("one message, ") + exchange,
                          {.shape = moved,
                           .kinds = none,
                           .input = boxes(first),
                           .output = boxes(second),
                           .precision = Precision::f32},
                          {.exchange = exchange}) &&
           good;
  }
  // More than 2^31 reals per rank, messages of more than 2^31 bytes.
  good = check<float>("r2c",
                      {.shape = {4098, 1024, 1026},
                       .kinds = r2c,
                       .input = slab_split(0),
                       .output = slab_split(1),
                       .precision = Precision::f32},
                      {}) &&
         good;
  return good;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool good = false;
  try {
    if (ranks != 2) throw weft::Error("large_arrays runs on 2 ranks");
    good = weft::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "large_arrays: error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
