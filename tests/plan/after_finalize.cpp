// Plans and halos that outlive MPI, as static or global ones do, must not bring the program down.
#include <complex>
#include <cstdio>
#include <memory>

#include "weft/weft.hpp"

namespace {

std::unique_ptr<weft::Plan> outliving;
std::unique_ptr<weft::Halo> outliving_halo;

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (const char* exchange : {"alltoallw", "alltoallv", "p2p"}) {
    weft::Options options;
    options.exchange = exchange;
    outliving = std::make_unique<weft::Plan>(weft::MpiProblem{.shape = {8, 6, 4},
                                                              .comm = MPI_COMM_WORLD,
                                                              .in = weft::pencil(2),
                                                              .out = weft::pencil(0)},
                                             options);
  }
  std::vector<std::complex<double>> in(static_cast<std::size_t>(outliving->input().size));
  std::vector<std::complex<double>> out(static_cast<std::size_t>(outliving->output().size));
  outliving->forward(in, out);
  outliving_halo = std::make_unique<weft::Halo>(weft::HaloProblem{
      .shape = {8, 6}, .comm = MPI_COMM_WORLD, .layout = weft::slab(0).with_halo({1, 0}, {1, 0})});
  std::vector<double> field(static_cast<std::size_t>(outliving_halo->array().size));
  outliving_halo->exchange(field);
  auto within_main = std::make_unique<weft::Plan>(
      weft::MpiProblem{.shape = {8, 6}, .comm = MPI_COMM_WORLD}, weft::Options{});
  MPI_Finalize();
  within_main.reset();
  try {
    const weft::Plan late({.shape = {8, 6}, .comm = MPI_COMM_WORLD});
    std::puts("a plan was made after MPI_Finalize");
    return 1;
  } catch (const weft::Error&) {
  }
  return 0;  // what is left is destroyed after this
}
