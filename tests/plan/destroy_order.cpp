// Ranks that destroy two plans in different orders, or only some of them: nobody waits for ever.
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "weft/weft.h"
#include "weft/weft.hpp"

namespace {

constexpr const char* exchanges[] = {"auto", "one_sided", "p2p", "persistent"};
bool good = true;

void expect(bool what, const std::string& text) {
  if (!what) std::printf("%s\n", text.c_str());
  good = good && what;
}

weft::Plan plan_with(const std::string& exchange, weft::Index chunks = 1) {
  weft::Options options;
  options.exchange = exchange;
  options.chunks = chunks;
  return weft::Plan(MPI_COMM_WORLD, {.shape = {12, 10}, .output = weft::slab_split(1)}, options);
}

void run(weft::Plan& plan) {
  const std::vector<std::complex<double>> in(static_cast<std::size_t>(plan.input().allocation_size),
                                             2.0);
  std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.forward(in, out);
  if (plan.output().box.lower == weft::Extents{0, 0} && !out.empty()) {
    expect(std::abs(out[0] - 240.0) < 1e-12, "a wrong sum");
  }
}

/// The error of free(), or none.
std::string freed(weft::Plan& plan) {
  try {
    plan.free();
  } catch (const weft::Error& error) {
    return error.what();
  }
  return "";
}

void destroy_in_different_orders(int rank, const std::string& exchange) {
  weft::Plan first = plan_with(exchange), second = plan_with(exchange);
  run(first);
  run(second);
  // The rank that gives up first may still come in time to the plan that others wait with.
  int refused = 0;
  for (weft::Plan* plan : {rank == 0 ? &first : &second, rank == 0 ? &second : &first}) {
    const std::string error = freed(*plan);
    if (error.empty()) continue;
    ++refused;
    expect(error.find("not all ranks have destroyed within 0.5 s") != error.npos,
           exchange + ": freed with '" + error + "'");
  }
  expect(refused > 0, exchange + ": plans are destroyed in any order");
  expect(freed(first).empty(), "a plan that is gone is freed twice");
}

void destroy_in_c(int rank) {
  weft_problem problem;
  const int64_t shape[] = {12, 10};
  weft_problem_init(&problem, 2, shape);
  weft_plan plans[2] = {};
  for (weft_plan& plan : plans) weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan);
  int refused = 0;
  for (const int i : {rank == 0 ? 0 : 1, rank == 0 ? 1 : 0}) {
    const weft_status status = weft_plan_destroy(&plans[i]);
    expect(plans[i] == nullptr, "a handle of C that is destroyed is not null");
    if (status == WEFT_SUCCESS) continue;
    ++refused;
    expect(std::strstr(weft_error_message(), "in the same order") != nullptr, weft_error_message());
  }
  expect(refused > 0, "C destroys plans in any order");
}

/// A rank that destroys a plan still does its part for those that wait.
void destroy_while_others_wait(int rank, const std::string& exchange) {
  weft::Plan plan = plan_with(exchange, 4);
  const std::vector<std::complex<double>> in(static_cast<std::size_t>(plan.input().allocation_size),
                                             2.0);
  std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.start_forward(in, out);
  if (rank != 0) plan.wait();
  expect(freed(plan).empty(), exchange + ": destroyed while others wait");
}

}  // namespace

int main(int argc, char** argv) {
  setenv("WEFT_DESTROY_TIMEOUT", "0.5", 1);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const char* exchange : exchanges) {
    destroy_in_different_orders(rank, exchange);
    destroy_while_others_wait(rank, exchange);
  }
  destroy_in_c(rank);
  weft::Plan next = plan_with("auto");  // what was left does not stand in the way
  run(next);
  expect(freed(next).empty(), "a plan that all ranks destroy");
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
  MPI_Finalize();
  return good ? 0 : 1;
}
