// Plans and halos that outlive MPI, as static or global ones do, must not bring the program down.
#include <complex>
#include <cstdio>
#include <cstring>
#include <memory>

#include "weft/weft.h"
#include "weft/weft.hpp"

namespace {

std::vector<std::unique_ptr<weft::Plan>> outliving;
std::unique_ptr<weft::Halo> outliving_halo;

bool good = true;

template <class Call>
void refused(const char* what, const Call& call) {
  try {
    call();
  } catch (const weft::Error& error) {
    if (std::strstr(error.what(), "MPI is finalized") != nullptr) return;
  }
  std::printf("after MPI_Finalize: %s\n", what);
  good = false;
}

/// What C gets in the place of an exception.
void refused(const char* what, weft_status status) {
  if (status == WEFT_ERROR_ARGUMENT &&
      std::strstr(weft_error_message(), "MPI is finalized") != nullptr) {
    return;
  }
  std::printf("after MPI_Finalize, in C: %s\n", what);
  good = false;
}

weft_plan plan_in_c() {
  weft_problem problem;
  const int64_t shape[] = {8, 6};
  weft_problem_init(&problem, 2, shape);
  weft_plan plan = nullptr;
  weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan);
  return plan;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::complex<double>> in(192), out(192);
  for (const char* exchange :
       {"alltoallw", "alltoallv", "alltoall", "p2p", "p2p_pipelined", "ialltoallv", "neighbor",
        "persistent", "persistent:p2p", "one_sided", "node_shared", "node_aware"}) {
    weft::Options options;
    options.exchange = exchange;
    outliving.push_back(std::make_unique<weft::Plan>(
        MPI_COMM_WORLD,
        weft::Problem{
            .shape = {8, 6, 4}, .input = weft::pencil_along(2), .output = weft::pencil_along(0)},
        options));
    outliving.back()->forward(in.data(), out.data());
  }
  outliving_halo = std::make_unique<weft::Halo>(
      MPI_COMM_WORLD,
      weft::HaloProblem{.shape = {8, 6}, .layout = weft::slab_split(0).with_halo({1, 0}, {1, 0})});
  std::vector<double> field(static_cast<std::size_t>(outliving_halo->array().allocation_size));
  outliving_halo->exchange(field);
  auto within_main =
      std::make_unique<weft::Plan>(MPI_COMM_WORLD, weft::Problem{.shape = {8, 6}}, weft::Options{});
  weft_plan of_c = plan_in_c();
  MPI_Finalize();
  within_main.reset();
  refused("a plan is made", [] { weft::Plan(MPI_COMM_WORLD, {.shape = {8, 6}}); });
  for (const auto& plan : outliving) {
    refused("forward", [&] { plan->forward(in.data(), out.data()); });
    refused("start", [&] { plan->start_backward(out.data(), in.data()); });
    refused("test", [&] { plan->test(); });
    refused("wait", [&] { plan->wait(); });
    refused("start_trace", [&] { plan->start_trace(); });
  }
  refused("exchange", [&] { outliving_halo->exchange(field); });
  refused("test of a halo", [&] { outliving_halo->test(); });
  for (std::size_t i = 0; i < outliving.size(); i += 2) outliving[i]->free();
  int done = 0;
  refused("forward", weft_plan_forward(of_c, in.data(), out.data()));
  refused("start", weft_plan_start_forward(of_c, in.data(), out.data()));
  refused("test", weft_plan_test(of_c, &done));
  refused("wait", weft_plan_wait(of_c));
  if (weft_plan_destroy(&of_c) != WEFT_SUCCESS || of_c != nullptr) {
    std::puts("a plan of C cannot be destroyed after MPI_Finalize");
    good = false;
  }
  return good ? 0 : 1;  // what is left is destroyed after this
}
