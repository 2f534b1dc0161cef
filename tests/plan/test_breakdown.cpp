// Options::breakdown: what steps spend their time on, and what of it traces show.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "trace/stage_parts.hpp"

namespace weft {
namespace {

double sum_of(const StageParts& parts) {
  double sum = 0;
  for (const auto& [name, part] : stage_parts) sum += parts.*part;
  return sum;
}

/// Of all passes, or all exchanges.
StageParts parts_of(const Plan& plan, bool exchanges) {
  StageParts sum;
  for (const StageTiming& stage : plan.timings()) {
    if (stage.moves_data == exchanges) add_parts(sum, stage.parts);
  }
  return sum;
}

/// Uneven shares, lengths that are primes, all that a pass can do; real input.
Problem problem_of(Precision precision = Precision::f64) {
  return {.shape = {13, 22, 30},
          .kinds = r2c,
          .input = slab_split(0),
          .output = slab_split(1),
          .precision = precision};
}

class Breakdown : public testing::TestWithParam<std::string> {
 protected:
  Options options() const {
    Options result;
    result.device = GetParam();
    result.breakdown = true;
    result.threads = 1;
    return result;
  }
  bool on_host() const { return GetParam() == "host"; }
  /// No part is negative, and parts take no longer than their steps.
  void expect_sound(const Plan& plan) const {
    for (const StageTiming& stage : plan.timings()) {
      for (const auto& [name, part] : stage_parts) EXPECT_GE(stage.parts.*part, 0) << name;
      // Times between events of a device are told in steps of half a microsecond.
      const double slack = on_host() ? 1e-9 : 1e-5;
      EXPECT_LE(sum_of(stage.parts), stage.seconds + slack) << stage.name;
      if (!stage.moves_data) {
        EXPECT_EQ(stage.parts.wait, 0) << stage.name;
        continue;
      }
      EXPECT_NEAR(stage.parts.exchange + stage.parts.wait, stage.seconds, slack) << stage.name;
      EXPECT_EQ(sum_of(stage.parts), stage.parts.exchange + stage.parts.wait) << stage.name;
    }
  }
  const test::Watchdog watchdog_{120};
};

TEST_P(Breakdown, TellsWhatStepsDo) {
  Plan plan(MPI_COMM_WORLD, problem_of(), options());
  for (const Direction direction : test::both) {
    for (int run = 0; run < 2; ++run) {
      EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan));
      expect_sound(plan);
      const StageParts passes = parts_of(plan, false);
      const bool works = plan.input().box.count() > 0 || plan.output().box.count() > 0;
      EXPECT_EQ(passes.transform > 0, works);
      EXPECT_EQ(passes.encode + passes.decode + passes.callback, 0);
      EXPECT_EQ(parts_of(plan, true).wait > 0, test::world_size() > 1);
    }
  }
}

TEST_P(Breakdown, IsThereWithManyTilesAndThreadsAndChunks) {
  Options cut = options();
  cut.tile_bytes = 4096;
  cut.chunks = 3;
  cut.exchange = on_host() ? "p2p" : "auto";
  if (on_host()) cut.threads = 3;
  Plan plan(MPI_COMM_WORLD, problem_of(), cut);
  for (const Direction direction : test::both) {
    EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan));
    expect_sound(plan);
    EXPECT_GT(parts_of(plan, false).transform, 0);
  }
}

TEST_P(Breakdown, TellsOfCodecs) {
  Options coded = options();
  coded.tolerance = 1e-4;
  Plan plan(MPI_COMM_WORLD, problem_of(), coded);
  EXPECT_LE(test::run_error(plan, Direction::forward), 1e-4);
  expect_sound(plan);
  const StageParts passes = parts_of(plan, false);
  EXPECT_EQ(passes.encode > 0, test::world_size() > 1);
  EXPECT_EQ(passes.decode > 0, test::world_size() > 1);
}

/// Of lengths with small prime factors, where transforms on devices read and write messages.
TEST_P(Breakdown, HasNoCopiesForMessagesOnDevices) {
  if (on_host()) GTEST_SKIP() << "passes of hosts copy tiles to messages";
  const Extents shape = {14, 20, 24};
  const Problem problems[] = {
      {.shape = shape, .input = pencil_along(2), .output = pencil_along(0)},
      {.shape = shape, .input = slab_split(0), .output = slab_split(1)},
      {.shape = shape, .kinds = r2c, .input = slab_split(0), .output = slab_split(1)}};
  for (const Problem& problem : problems) {
    for (const auto& [codec, chunks] :
         {std::pair{"cast:fp32", 1}, {"cast:fp32", 3}, {"none", 1}, {"none", 2}}) {
      // Those of pencils in chunks are cut along two axes.
      if (&problem == problems && chunks > 1) continue;
      Options packed = options();
      packed.exchange = "peer_packed";
      packed.codec = codec;
      packed.chunks = chunks;
      Plan plan(MPI_COMM_WORLD, problem, packed);
      for (const Direction direction : test::both) {
        EXPECT_LE(test::run_error(plan, direction), 1e-6);
        const StageParts passes = parts_of(plan, false);
        EXPECT_GT(passes.transform, 0);
        EXPECT_EQ(passes.pack + passes.unpack + passes.encode + passes.decode, 0)
            << "problem " << &problem - problems << ", " << codec << ", " << chunks << " chunks, "
            << (direction == Direction::forward ? "forward" : "backward");
      }
    }
  }
}

TEST_P(Breakdown, TellsOfCallbacksOnHosts) {
  if (!on_host()) GTEST_SKIP() << "callbacks of devices are compiled for them";
  Plan plan(MPI_COMM_WORLD, problem_of(), options());
  std::vector<double> in(static_cast<std::size_t>(plan.input().allocation_size), 1);
  std::vector<std::complex<double>> out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.forward(in, out, on_input([](double& value, const Point&) { value *= 2; }));
  expect_sound(plan);
  EXPECT_EQ(parts_of(plan, false).callback > 0, plan.input().box.count() > 0);
  plan.forward(in, out, on_output([](std::complex<double>& value, const Point&) { value *= 2; }));
  expect_sound(plan);
  EXPECT_EQ(parts_of(plan, false).callback > 0, plan.output().box.count() > 0);
}

TEST_P(Breakdown, IsNotThereUnlessAskedFor) {
  Options plain = options();
  plain.breakdown = false;
  Plan plan(MPI_COMM_WORLD, problem_of(), plain);
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  for (const StageTiming& stage : plan.timings()) EXPECT_EQ(sum_of(stage.parts), 0) << stage.name;
}

TEST_P(Breakdown, IsInTracesOfHosts) {
  Plan plan(MPI_COMM_WORLD, problem_of(), options());
  plan.start_trace();
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  const Trace trace = plan.stop_trace();
  std::vector<TraceSpan> passes, parts;
  for (const TraceSpan& span : trace.spans) {
    if (span.lane != TraceLane::compute) continue;
    (span.detail.empty() ? passes : parts).push_back(span);
  }
  EXPECT_EQ(parts.empty(), !on_host() || test::world_rank() != 0);
  for (const TraceSpan& part : parts) {
    EXPECT_TRUE(std::any_of(passes.begin(), passes.end(),
                            [&](const TraceSpan& pass) {
                              return pass.rank == part.rank && pass.name == part.name &&
                                     pass.begin <= part.begin && part.end <= pass.end + 1e-9;
                            }))
        << part.name << ": " << part.detail;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Breakdown, testing::ValuesIn(test::tested_devices()));

}  // namespace
}  // namespace weft
