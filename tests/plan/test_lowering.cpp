// The order of steps: what works on one part while others are under way.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "exchange/agreement.hpp"
#include "exchange/communicator.hpp"
#include "pass/context.hpp"
#include "program/executor.hpp"
#include "program/lower.hpp"
#include "redistribution/make_redistributions.hpp"
#include "schedule/planner.hpp"
#include "support/global_array.hpp"
#include "support/plan_run.hpp"
#include "support/random_distribution.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Random;
using test::world_rank;
using test::world_size;

/// A schedule turned into steps, with its exchanges.
struct Lowered {
  Lowered(const Schedule& schedule, const ResolvedProblem& problem, const std::string& exchange)
      : context(Communicator::duplicate(MPI_COMM_WORLD)) {
    context.problem = problem;
    context.exchange = find_exchange(exchange);
    context.backend = &find_local_backend("reference", "host");
    context.machine.caches = 1 << 16;
    context.fetch_bytes = 1 << 18;
    context.stream_bytes = 1 << 24;
    redistributions = make_redistributions(schedule, context, {context.comm}, host_stream());
    program = lower(schedule, context, host_stream(), redistributions, memory);
  }

  /// P: a pass, S: messages set out, F: they have arrived; of a pass no number, as its place tells.
  std::string text() const {
    std::string result;
    for (const Step& step : program.steps) {
      result += result.empty() ? "" : " ";
      if (step.kind == Step::pass) {
        result += "P";
      } else {
        result += (step.kind == Step::start ? "S" : "F") + std::to_string(step.number);
      }
    }
    return result;
  }

  Context context;
  Redistributions redistributions;
  RunMemory memory;
  Program program;
};

ResolvedProblem problem_of(const Extents& shape, const Kinds& kinds, const LayoutSpec& in,
                           const LayoutSpec& out) {
  return resolve({.shape = shape, .kinds = kinds, .input = in, .output = out}, world_size(),
                 world_rank());
}

Schedule schedule_of(const ResolvedProblem& problem, Index chunks, Index receive_chunks,
                     Direction direction) {
  Options options;
  options.chunks = chunks;
  options.receive_chunks = receive_chunks;
  const Schedule forward = plan_schedule(problem, options, {.caches = 1 << 18});
  return direction == Direction::forward ? forward : reversed(forward);
}

class Lowering : public testing::Test {
 private:
  const test::Watchdog watchdog_{100};
};

TEST_F(Lowering, PartsThatHaveArrivedAreWorkedOnBeforeTheOthersArrive) {
  const ResolvedProblem problem = problem_of({48, 40}, c2c, slab_split(0), slab_split(1));
  for (const char* exchange : {"p2p", "one_sided", "alltoallw"}) {
    SCOPED_TRACE(exchange);
    const auto steps = [&](Index chunks, Index receive_chunks, Direction direction) {
      return Lowered(schedule_of(problem, chunks, receive_chunks, direction), problem, exchange)
          .text();
    };
    EXPECT_EQ(steps(1, 1, Direction::forward), "P S0 F0 P");
    EXPECT_EQ(steps(3, 1, Direction::forward), "P S0 P S1 P S2 F0 F1 F2 P");
    EXPECT_EQ(steps(3, 1, Direction::backward), "P S0 S1 S2 F0 P F1 P F2 P");
    EXPECT_EQ(steps(1, 3, Direction::forward), "P S0 S1 S2 F0 P F1 P F2 P");
    // The last of three parts leaves in two, of which the first completes a part of the receiver.
    EXPECT_EQ(steps(3, 2, Direction::forward), "P S0 P S1 P S2 S3 F0 F1 F2 P F3 P");
    // The first of three parts arrives in two, as they are made.
    EXPECT_EQ(steps(3, 2, Direction::backward), "P S0 P S1 S2 S3 F0 F1 P F2 P F3 P");
  }
}

TEST_F(Lowering, PartsOfACommonAxisGoThroughOneAfterAnother) {
  const ResolvedProblem problem =
      problem_of({24, 24, 6}, {Kind::c2c, Kind::c2c, Kind::none}, slab_split(0), slab_split(1));
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    EXPECT_EQ(Lowered(schedule_of(problem, 3, 0, direction), problem, "p2p").text(),
              "P S0 P S1 F0 P P S2 F1 P F2 P");
  }
}

/// Of any program: what sets out has been written by then, nothing is read before it has arrived,
/// and all that arrives is given back once.
void expect_sound(const Lowered& lowered) {
  const Program& program = lowered.program;
  std::set<std::size_t> started, finished, closed;
  std::vector<std::size_t> first_of_move(program.redistributions.size());
  std::size_t first = 0;
  for (const auto& blocks : lowered.redistributions) {
    std::fill_n(first_of_move.begin() + static_cast<std::ptrdiff_t>(first), blocks.size(), first);
    first += blocks.size();
  }
  std::vector<std::set<std::size_t>> written_by(program.redistributions.size());
  const auto carries = [&](const PassSide& side, std::size_t redistribution, bool sends) {
    Redistribution& of = *program.redistributions[redistribution];
    return std::any_of(side.views.begin(), side.views.end(), [&](const ArrayView& view) {
      return view.encoding == (sends ? &of.sends() : &of.receives());
    });
  };
  for (const Step& step : program.steps) {
    if (step.kind == Step::start) {
      for (std::size_t i = first_of_move[step.number]; i < step.number; ++i) {
        EXPECT_EQ(started.count(i), 1u) << "blocks set out in their order";
      }
      const auto& packers = program.packed_by[step.number];
      EXPECT_EQ(written_by[step.number], std::set<std::size_t>(packers.begin(), packers.end()));
      started.insert(step.number);
    } else if (step.kind == Step::finish) {
      EXPECT_EQ(started.count(step.number), 1u);
      EXPECT_TRUE(finished.insert(step.number).second);
    } else {
      const Pass& pass = *program.passes[step.number];
      for (std::size_t written : step.opens) written_by[written].insert(step.number);
      for (std::size_t read : step.closes) {
        EXPECT_EQ(finished.count(read), 1u);
        EXPECT_TRUE(closed.insert(read).second);
      }
      for (std::size_t i = 0; i < program.redistributions.size(); ++i) {
        if (carries(pass.spec().sink, i, true)) {
          EXPECT_EQ(written_by[i].count(step.number), 1u);
          EXPECT_EQ(started.count(i), 0u) << "written after it has set out";
        }
        if (carries(pass.spec().source, i, false)) {
          EXPECT_EQ(finished.count(i), 1u) << "read before it has arrived";
          const bool closes = std::count(step.closes.begin(), step.closes.end(), i) > 0;
          EXPECT_EQ(closed.count(i), closes ? 1u : 0u) << "read after it was given back";
        }
      }
    }
  }
  EXPECT_NO_THROW(agree_same(lowered.context.comm, lowered.text(), "steps"));
  EXPECT_EQ(started.size(), program.redistributions.size());
  EXPECT_EQ(finished.size(), program.redistributions.size());
  EXPECT_EQ(closed.size(), program.redistributions.size());
}

TEST_F(Lowering, AnyProgramWritesSendsReadsAndGivesBackInOrder) {
  Random random(31);
  for (int trial = 0; trial < 60; ++trial) {
    const Extents shape = test::random_shape(random, 4, 20);
    const auto layout = [&] {
      const int axis = static_cast<int>(random.below(shape.size()));
      return random.chance(40)   ? pencil_along(axis)
             : random.chance(60) ? slab_split(axis)
                                 : brick();
    };
    const ResolvedProblem problem =
        problem_of(shape, random.chance(50) ? r2c : c2c, layout(), layout());
    const Index chunks = 1 + random.below(4), receive_chunks = random.below(4);
    SCOPED_TRACE(to_string(shape) + " in " + std::to_string(chunks) + "x" +
                 std::to_string(receive_chunks));
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      expect_sound(
          Lowered(schedule_of(problem, chunks, receive_chunks, direction), problem, "p2p"));
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace weft
