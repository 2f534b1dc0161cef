// A thread that calls MPI needs MPI_THREAD_MULTIPLE: without it, plans that want one are refused,
// with the same words on all ranks, and others work.
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include "weft/weft.hpp"

namespace {

weft::Problem problem() {
  return {.shape = {8, 6, 4}, .input = weft::slab_split(0), .output = weft::slab_split(1)};
}

bool is_refused() {
  weft::Options options;
  options.progress = weft::ProgressBy::thread;
  try {
    weft::Plan plan(MPI_COMM_WORLD, problem(), options);
  } catch (const weft::Error& error) {
    // All ranks have it, so that no rank is named.
    return std::string(error.what()).rfind("progress by a thread needs MPI_THREAD_MULTIPLE", 0) ==
           0;
  }
  return false;
}

bool plans_work() {
  weft::Options options;
  options.chunks = 2;
  options.exchange = "p2p";
  weft::Plan plan(MPI_COMM_WORLD, problem(), options);
  std::vector<std::complex<double>> in(static_cast<std::size_t>(plan.input().allocation_size));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i * i % 17);
  std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.forward(in, out);
  return weft::sampled_error(plan, weft::Direction::forward, in.data(), out.data()).relative_l2 <
         1e-14;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int failed = 0;
  // Some libraries offer more than they are asked for.
  if (provided < MPI_THREAD_MULTIPLE && !is_refused()) {
    std::puts("a plan with a thread of its own was not refused");
    failed = 1;
  }
  if (!plans_work()) {
    std::puts("plans do not work");
    failed = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
