// What a plan tells of itself, and the ways to call it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "schedule/planner.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::both;
using test::Bytes;
using test::world_rank;
using test::world_size;

class Interface : public testing::Test {
 private:
  const test::Watchdog watchdog_;
};

Problem slabs(const Kinds& kinds = c2c) {
  return {.shape = {14, 12, 10}, .kinds = kinds, .input = slab_split(0), .output = slab_split(1)};
}

TEST_F(Interface, TellsWhatWasAskedFor) {
  Problem problem = slabs({c2c, r2c, none});
  problem.norm = Norm::ortho;
  problem.batch = 3;
  problem.precision = Precision::f32;
  Options options;
  options.exchange = "p2p";
  options.local = "fftw";
  options.threads = 2;
  const Plan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_EQ(plan.info().shape, (Extents{14, 12, 10}));
  EXPECT_EQ(plan.info().kinds, (Axes<Kind>{c2c, r2c, none}));
  EXPECT_EQ(plan.info().norm, Norm::ortho);
  EXPECT_EQ(plan.info().batch, 3);
  EXPECT_EQ(plan.info().exchange, "p2p");
  EXPECT_EQ(plan.info().local, "fftw");
  EXPECT_EQ(plan.info().threads, 2);
  EXPECT_EQ(to_string(plan.input().type), "real f32");
  EXPECT_EQ(to_string(plan.output().type), "complex f32");
  EXPECT_EQ(plan.input().box.axes(), 3);
  EXPECT_EQ(plan.input().strides.size(), 4);
}

TEST_F(Interface, NamesWhatAutoStandsFor) {
  const Plan plan(MPI_COMM_WORLD, slabs());
  EXPECT_NE(plan.info().exchange, "auto");
  EXPECT_NE(plan.info().local, "auto");
  EXPECT_GE(plan.info().threads, 1);
}

TEST_F(Interface, BoxesOfAllRanksTileTheArrays) {
  const Plan plan(MPI_COMM_WORLD, slabs(r2c));
  for (const LocalArray* array : {&plan.input(), &plan.output()}) {
    Index points = array->box.count();
    MPI_Allreduce(MPI_IN_PLACE, &points, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(points, array == &plan.input() ? 14 * 12 * 10 : 14 * 12 * 6);
    EXPECT_EQ(array->allocation_size, array->box.count());
    EXPECT_EQ(array->offset, 0);
  }
}

TEST_F(Interface, DescribesBothDirections) {
  Plan plan(MPI_COMM_WORLD, slabs(r2c));
  const std::string text = plan.describe();
  std::vector<std::string> parts{
      "forward 14x12x10 c2c,c2c,r2c f64",
      "backward 14x12x10",
      "local",
      "axis 2 r2c n=10",
      "inverse",
      "predicted",
      "exchange " + plan.info().exchange + ", local " + plan.info().local,
      "workspace",
      "threads"};
  if (world_size() > 1) {
    parts.insert(parts.end(), {"redistribute", "peers", "sends", "largest message", "grid"});
  }
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in:\n" << text;
  }
}

TEST_F(Interface, TimingsHaveAnEntryForEachStepThatAddUpToTheWallTime) {
  Problem problem = slabs();
  problem.shape = {48, 48, 48};
  for (const std::string exchange : {"alltoallv", "alltoallw", "p2p_pipelined"}) {
    Options options;
    options.exchange = exchange;
    options.threads = 1;
    Plan plan(MPI_COMM_WORLD, problem, options);
    for (const Direction direction : both) {
      const Bytes in = test::given_bytes(plan, direction, 1);
      Bytes out = test::poisoned(test::sink_of(plan, direction));
      double best = 0;
      for (int run = 0; run < 20; ++run) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        test::execute(plan, direction, in.data(), out.data());
        const double wall = MPI_Wtime() - begin;
        double sum = 0;
        for (const StageTiming& step : plan.timings()) {
          EXPECT_GE(step.seconds, 0);
          sum += step.seconds;
        }
        EXPECT_LE(sum, wall + 1e-6);
        // A rank that has to wait for a core before the first step spoils one run, not all.
        best = std::max(best, sum / wall);
      }
      EXPECT_GT(best, 0.5) << exchange;
    }
    int exchanges = 0, transforms = 0;
    for (const StageTiming& step : plan.timings()) {
      EXPECT_NE(step.name, "");
      exchanges += step.name == exchange;
      EXPECT_EQ(step.moves_data, step.name == exchange) << step.name;
      transforms += step.name.find("transform") != std::string::npos;
      if (step.name.find("transform") != std::string::npos) {
        EXPECT_GT(step.bytes, 0);
      }
    }
    EXPECT_EQ(exchanges, world_size() > 1 ? 1 : 0);
    EXPECT_GE(transforms, world_size() > 1 ? 2 : 1);
  }
}

TEST_F(Interface, BytesSentAreThoseOfTheSchedule) {
  const ResolvedProblem problem =
      resolve({.shape = {14, 12, 10}, .input = slab_split(0), .output = slab_split(1)},
              world_size(), world_rank());
  Index expected = 0;
  for (const Stage& stage : plan_schedule(problem, {}, {.caches = 1 << 20}).stages) {
    const auto* move = std::get_if<RedistributeStage>(&stage);
    if (move == nullptr) continue;
    for (const MessageRegion& message : messages(*move, world_rank()).sends) {
      if (message.peer != world_rank()) expected += message.region.count() * 16;
    }
  }
  for (const char* exchange : {"alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined"}) {
    Options options;
    options.exchange = exchange;
    Plan plan(MPI_COMM_WORLD, slabs(), options);
    EXPECT_EQ(plan.info().bytes_sent, expected) << exchange;
    test::run_error(plan, Direction::forward);
    Index in_timings = 0;
    for (const StageTiming& step : plan.timings()) {
      if (step.name == exchange) in_timings += step.bytes;
    }
    EXPECT_EQ(in_timings, expected) << exchange;
  }
}

TEST_F(Interface, TheUsersWorkspaceIsEnoughAndNothingBeyondItIsTouched) {
  constexpr std::size_t canary = 4096;
  for (const bool overwrite : {false, true}) {
    for (const char* exchange : {"alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined"}) {
      Options options;
      options.exchange = exchange;
      options.overwrite_input = overwrite;
      options.threads = 2;
      options.allocate_workspace = overwrite;  // it is replaced, or the first one
      Plan plan(MPI_COMM_WORLD, slabs(r2c), options);
      const std::size_t bytes = plan.info().workspace_bytes;
      Bytes memory(bytes + 2 * canary + 64, std::byte{0xa5});
      const auto address = reinterpret_cast<std::uintptr_t>(memory.data()) + canary;
      const std::size_t first = canary + (64 - address % 64) % 64;
      plan.set_workspace({memory.data() + first, bytes});
      EXPECT_EQ(plan.info().workspace_bytes, bytes);
      for (const Direction direction : both) {
        EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan));
      }
      for (std::size_t i = 0; i < memory.size(); ++i) {
        if (i >= first && i < first + bytes) continue;
        ASSERT_EQ(memory[i], std::byte{0xa5}) << "byte " << i << " of " << bytes;
      }
    }
  }
}

TEST_F(Interface, WithoutItsWorkspaceAPlanRefusesToRun) {
  Options options;
  options.exchange = "p2p";
  options.allocate_workspace = false;
  Plan plan(MPI_COMM_WORLD, slabs(r2c), options);
  ASSERT_GT(plan.info().workspace_bytes, 0u);
  const Bytes in = test::given_bytes(plan, Direction::forward, 1);
  Bytes out = test::poisoned(plan.output()), untouched = out;
  test::expect_same_error([&] { test::execute(plan, Direction::forward, in.data(), out.data()); },
                          {"the plan has no workspace"});
  EXPECT_EQ(out, untouched);
}

TEST_F(Interface, PointersVectorsAndSpansAreTheSame) {
  Plan plan(MPI_COMM_WORLD, slabs());
  const auto in_size = static_cast<std::size_t>(plan.input().allocation_size);
  const auto out_size = static_cast<std::size_t>(plan.output().allocation_size);
  std::vector<std::complex<double>> in(in_size), a(out_size), b(out_size), c(out_size);
  for (std::size_t i = 0; i < in_size; ++i) in[i] = {static_cast<double>(i % 7), 1.0};
  plan.forward(in, a);
  plan.forward(in.data(), b.data());
  plan.forward(std::span<const std::complex<double>>(in), std::span<std::complex<double>>(c));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a, c);
  std::vector<std::complex<double>> longer(in_size + 5);  // more than needed is fine
  plan.backward(a, longer);
  for (std::size_t i = 0; i < in_size; ++i) EXPECT_NEAR(std::abs(longer[i] - in[i]), 0, 1e-12);
}

TEST_F(Interface, SomeRanksMayRunInPlaceAndOthersNot) {
  const Index n = 3 * world_size();
  for (const char* exchange : {"alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined"}) {
    for (const LayoutSpec& out : {slab_split(0), slab_split(1)}) {
      Options options;
      options.exchange = exchange;
      Plan plan(MPI_COMM_WORLD, {.shape = {n, n}, .input = slab_split(0), .output = out}, options);
      Bytes in = test::given_bytes(plan, Direction::forward, 1);
      Bytes other = test::poisoned(plan.output());
      Bytes& result = world_rank() % 2 == 0 ? in : other;
      test::execute(plan, Direction::forward, in.data(), result.data());
      EXPECT_LE(test::error_of(plan, Direction::forward, result.data(), 1), test::error_bound(plan))
          << exchange;
    }
  }
}

TEST_F(Interface, PlansCanBeMoved) {
  Plan first(MPI_COMM_WORLD, slabs());
  Plan second = std::move(first);
  Plan third(MPI_COMM_WORLD, slabs(r2c));
  third = std::move(second);
  EXPECT_EQ(to_string(third.input().type), "complex f64");
  EXPECT_LE(test::run_error(third, Direction::forward), test::error_bound(third));
}

TEST_F(Interface, InPlaceRealTransformsReturnToTheirInput) {
  Plan plan(MPI_COMM_WORLD, {.shape = {6, 14, 11},
                             .kinds = r2c,
                             .input = slab_split(0).padded_for_r2c(),
                             .output = slab_split(0)});
  Bytes array = test::given_bytes(plan, Direction::forward, 1);
  const Bytes given = array;
  test::execute(plan, Direction::forward, array.data(), array.data());
  EXPECT_LE(test::error_of(plan, Direction::forward, array.data(), 1), test::error_bound(plan));
  test::execute(plan, Direction::backward, array.data(), array.data());
  for (Index row = 0; row < plan.input().allocation_size / 12; ++row) {
    for (Index i = 0; i < 11; ++i) {
      double before = 0, after = 0;
      const std::size_t at = static_cast<std::size_t>(row * 12 + i) * sizeof(double);
      std::memcpy(&before, given.data() + at, sizeof before);
      std::memcpy(&after, array.data() + at, sizeof after);
      ASSERT_NEAR(after, before, 1e-13);
    }
  }
}

TEST_F(Interface, ArraysOfOnePlanAreThoseOfAnother) {
  // Also on ranks that own nothing, whose strides are zero.
  Plan first(MPI_COMM_WORLD, {.shape = {2, 5}, .input = slab_split(0), .output = slab_split(0)});
  const LocalArray& array = first.output();
  Plan second(MPI_COMM_WORLD, {.shape = {2, 5},
                               .input = box(array.box).with_strides(array.strides),
                               .output = slab_split(1)});
  EXPECT_LE(test::run_error(second, Direction::forward), test::error_bound(second));
}

}  // namespace
}  // namespace weft
