// The error that users and the benchmark rely on must see every kind of wrong result.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/verify.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::world_rank;
using test::world_size;

constexpr Direction both[] = {Direction::forward, Direction::backward};

class SampledErrorTest : public testing::Test {
 private:
  const test::Watchdog watchdog_;
};

/// A plan, its input, and the output that it computed.
struct Computed {
  Computed(const Problem& problem, Direction way)
      : plan(MPI_COMM_WORLD, problem),
        direction(way),
        in(test::given_bytes(plan, way, 5)),
        out(test::poisoned(test::sink_of(plan, way))) {
    test::execute(plan, way, in.data(), out.data());
  }
  double error(int samples = 2000, std::uint64_t seed = 1) const {
    return sampled_error(plan, direction, in.data(), out.data(), samples, seed).relative_l2;
  }
  double bound() const { return test::error_bound(plan); }

  Plan plan;
  Direction direction;
  Bytes in, out;
};

std::vector<Problem> problems() {
  const Problem plain{.shape = {5, 6, 4}, .input = slab_split(0), .output = brick()};
  std::vector<Problem> list{plain};
  Problem problem = plain;
  problem.kinds = r2c;
  problem.norm = Norm::ortho;
  problem.output = slab_split(1);
  list.push_back(problem);
  problem.kinds = {r2c, none, c2c};
  problem.norm = Norm::forward;
  problem.input = brick().with_halo({1, 0, 2}, {0, 2, 1}).with_order({2, 0, 1});
  problem.output = pencil_along(1).with_order({1, 2, 0});
  list.push_back(problem);
  problem.precision = Precision::f32;
  list.push_back(problem);
  problem.batch = 3;
  list.push_back(problem);
  problem.interleaved = true;
  list.push_back(problem);
  problem.shape = {7};
  problem.kinds = r2c;
  problem.input = slab_split(0);
  problem.output = slab_split(0);
  list.push_back(problem);
  return list;
}

TEST_F(SampledErrorTest, OfARightResultIsAtRoundingLevel) {
  for (const Problem& problem : problems()) {
    for (const Direction direction : both) {
      const Computed run(problem, direction);
      const SampledError error =
          sampled_error(run.plan, direction, run.in.data(), run.out.data(), 64);
      EXPECT_LE(error.relative_l2, run.bound());
      EXPECT_EQ(error.samples, 64);
      // The same on all ranks.
      double extremes[2] = {error.relative_l2, -error.relative_l2};
      MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(extremes[0], -extremes[1]);
    }
  }
}

/// The first or last point of the whole output, where this rank owns it.
std::byte* element_at_end(Computed& run, bool first) {
  const LocalArray& sink = test::sink_of(run.plan, run.direction);
  if (sink.box.empty()) return nullptr;
  const Extents shape =
      test::given_array(
          run.plan, run.direction == Direction::forward ? Direction::backward : Direction::forward,
          1)
          .shape;
  Index position = sink.offset;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (first ? sink.box.lower[axis] != 0 : sink.box.upper[axis] != shape[axis]) return nullptr;
    if (!first) position += (sink.box.extent(axis) - 1) * sink.strides[axis];
  }
  return run.out.data() + static_cast<std::size_t>(position) * test::element_size(sink.type);
}

template <class Change>
void change_one(Computed& run, const Change& change, bool first = true) {
  std::byte* const element = element_at_end(run, first);
  if (element == nullptr) return;
  if (run.plan.input().type.precision == Precision::f32) {
    auto* value = reinterpret_cast<float*>(element);
    *value = static_cast<float>(change(static_cast<double>(*value)));
  } else {
    auto* value = reinterpret_cast<double*>(element);
    *value = change(*value);
  }
}

TEST_F(SampledErrorTest, SeesOneWrongElement) {
  for (const Problem& problem : problems()) {
    for (const Direction direction : both) {
      for (const bool first : {true, false}) {
        Computed run(problem, direction);
        change_one(
            run, [](double value) { return value + 0.01; }, first);
        EXPECT_GT(run.error(), 10 * run.bound());
      }
    }
  }
}

TEST_F(SampledErrorTest, SeesAWrongInput) {
  // Every coefficient depends on every point, so few samples suffice.
  for (const Direction direction : both) {
    Computed run(problems()[0], direction);
    if (world_rank() == 0) reinterpret_cast<double*>(run.in.data())[0] += 0.01;
    EXPECT_GT(run.error(8), 10 * run.bound());
  }
}

TEST_F(SampledErrorTest, IsNotBelowAnyBoundForNanAndInfinity) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const Problem& problem : problems()) {
      for (const Direction direction : both) {
        Computed run(problem, direction);
        change_one(run, [&](double) { return bad; });
        EXPECT_FALSE(run.error() <= 1e30);
      }
    }
  }
}

TEST_F(SampledErrorTest, LargestIsNotBelowAnyBoundForNanEither) {
  // Found on one rank, it must not get lost in the maximum over ranks.
  for (const bool first : {true, false}) {
    Computed run(problems()[0], Direction::forward);
    change_one(
        run, [](double) { return std::nan(""); }, first);
    const auto error = sampled_error(run.plan, run.direction, run.in.data(), run.out.data(), 2000);
    EXPECT_FALSE(error.largest <= 1e30) << (first ? "first point" : "last point");
  }
}

TEST_F(SampledErrorTest, SeesAnOutputThatWasNotWritten) {
  for (const Problem& problem : problems()) {
    Computed run(problem, Direction::forward);
    run.out = test::poisoned(run.plan.output());
    EXPECT_FALSE(run.error(32) <= 1e30);
    std::fill(run.out.begin(), run.out.end(), std::byte{0});
    EXPECT_GT(run.error(32), 0.5);
  }
}

TEST_F(SampledErrorTest, SeesAWrongScaleAndAWrongDirection) {
  Computed run(problems()[0], Direction::forward);
  TransformDescription other = description(run.plan);
  other.norm = Norm::ortho;
  EXPECT_GT(sampled_error(other, Direction::forward, run.in.data(), run.out.data()).relative_l2,
            0.5);
  // The same layouts on both sides, so that the arrays fit either direction.
  Problem problem = problems()[0];
  problem.output = problem.input;
  const Computed same(problem, Direction::forward);
  EXPECT_GT(
      sampled_error(same.plan, Direction::backward, same.in.data(), same.out.data()).relative_l2,
      0.5);
}

TEST_F(SampledErrorTest, TellsTheSizeOfTheLargestDifference) {
  Computed run(problems()[0], Direction::forward);
  change_one(run, [](double value) { return value + 0.25; });
  const auto error = sampled_error(run.plan, run.direction, run.in.data(), run.out.data(), 2000);
  EXPECT_NEAR(error.largest, 0.25, 1e-12);
}

TEST_F(SampledErrorTest, TheSeedChoosesThePoints) {
  Computed run(problems()[0], Direction::forward);
  change_one(run, [](double value) { return value + 1; });
  // One sample hits the wrong element of 120 for some seeds, not for all.
  int hits = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) hits += run.error(1, seed) > run.bound();
  EXPECT_GT(hits, 0);
  EXPECT_LT(hits, 60);
}

TEST_F(SampledErrorTest, RefusesToSampleNothing) {
  const Computed run(problems()[0], Direction::forward);
  for (const int samples : {0, -3}) {
    test::expect_same_error([&] { run.error(samples); },
                            {"samples " + std::to_string(samples) + ": must be positive"});
  }
}

TEST(RoundingErrorBound, IsFiveEpsilonLogN) {
  EXPECT_DOUBLE_EQ(rounding_error_bound(Precision::f64, 1024), 50 * 0x1p-52);
  EXPECT_DOUBLE_EQ(rounding_error_bound(Precision::f32, 1024), 50 * 0x1p-23);
  EXPECT_GT(rounding_error_bound(Precision::f64, 1), 0);
}

}  // namespace
}  // namespace weft
