#include <gtest/gtest.h>

#include "schedule/describe.hpp"
#include "schedule/planner.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;
constexpr Index tile_bytes = 1 << 20;

int redistributions(const Schedule& schedule) {
  int count = 0;
  for (const Stage& stage : schedule.stages) {
    if (std::holds_alternative<RedistributeStage>(stage)) ++count;
  }
  return count;
}

/// A problem for so many ranks.
struct Given {
  Problem problem;
  Index ranks;

  ResolvedProblem resolve() const { return weft::resolve(problem, ranks, 0); }
};

int redistributions(const Given& given, Algorithm algorithm = Algorithm::automatic) {
  Options options;
  options.algorithm = algorithm;
  return redistributions(plan_schedule(given.resolve(), options, {.caches = tile_bytes}));
}

Given cube(Index ranks, const LayoutSpec& in, const LayoutSpec& out, const Kinds& kinds = c2c) {
  return {{.shape = {64, 64, 64}, .kinds = kinds, .input = in, .output = out}, ranks};
}

TEST(Planner, MovesSlabToSlabOnce) {
  for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
    for (Index ranks = 2; ranks <= 16; ++ranks) {
      EXPECT_EQ(redistributions(cube(ranks, slab_split(0), slab_split(1), kinds)), 1) << ranks;
      EXPECT_EQ(redistributions(cube(ranks, slab_split(1), slab_split(0), kinds)), 1) << ranks;
      EXPECT_EQ(redistributions(cube(ranks, slab_split(0), slab_split(1), kinds), Algorithm::slab),
                1);
    }
  }
}

TEST(Planner, MovesSlabToTheSameSlabTwice) {
  EXPECT_EQ(redistributions(cube(4, slab_split(0), slab_split(0))), 2);
  EXPECT_EQ(redistributions(cube(4, slab_split(2), {}, r2c)), 2);
}

TEST(Planner, MovesPencilToPencilTwice) {
  for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::pencil}) {
    for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
      EXPECT_EQ(redistributions(cube(6, pencil_along(2), pencil_along(0), kinds), algorithm), 2);
      EXPECT_EQ(redistributions(cube(12, pencil_along(2), pencil_along(0), kinds), algorithm), 2);
    }
    EXPECT_EQ(redistributions(cube(6, pencil_along(0), pencil_along(2)), algorithm), 2);
    EXPECT_EQ(redistributions(cube(6, pencil_along(1), pencil_along(0)), algorithm), 2);
  }
}

TEST(Planner, MovesPencilToTheSamePencilThreeTimes) {
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(redistributions(cube(6, pencil_along(axis), pencil_along(axis)), Algorithm::pencil),
              3)
        << axis;
  }
}

TEST(Planner, MovesBrickToBrickAtMostFourTimes) {
  for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
    for (const Index ranks : {8, 12, 64, 30}) {
      const int moves = redistributions(cube(ranks, brick(), brick(), kinds), Algorithm::pencil);
      EXPECT_LE(moves, 4) << ranks;
      EXPECT_GE(moves, 3) << ranks;
      EXPECT_LE(redistributions(cube(ranks, brick(), brick(), kinds)), 4) << ranks;
    }
  }
}

TEST(Planner, MovesNothingWhenTheDataLiesRight) {
  EXPECT_EQ(redistributions(cube(4, slab_split(0), slab_split(0), {none, c2c, c2c})), 0);
  EXPECT_EQ(redistributions(cube(6, pencil_along(1), {}, {none, r2c, none})), 0);
  EXPECT_EQ(redistributions(cube(6, brick(), brick(), none)), 0);
  // The same boxes, once by rule and once listed.
  const auto rule = cube(4, slab_split(0), slab_split(0)).resolve();
  std::vector<Box> listed;
  for (Index rank = 0; rank < 4; ++rank) {
    listed.push_back(rule.input.distribution.box(rule.shape, rank));
  }
  EXPECT_EQ(redistributions(cube(4, slab_split(0), boxes(listed), {none, c2c, c2c})), 0);
}

TEST(Planner, OneRankMovesNothing) {
  for (const LayoutSpec& in : {slab_split(0), pencil_along(1), brick()}) {
    for (const LayoutSpec& out : {slab_split(2), pencil_along(0), brick(), LayoutSpec{}}) {
      for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c), Kinds(none)}) {
        EXPECT_EQ(redistributions(cube(1, in, out, kinds)), 0);
      }
    }
  }
}

TEST(Planner, GroupsAxesThatFitInCacheTogether) {
  const ResolvedProblem problem = cube(4, slab_split(0), slab_split(1)).resolve();
  const auto first_axes = [&](Index bytes) {
    return std::get<LocalStage>(plan_schedule(problem, {}, {.caches = bytes}).stages.front()).axes;
  };
  EXPECT_EQ(first_axes(Index{1} << 30), (AxisList{2, 1}));
  EXPECT_EQ(first_axes(4096), (AxisList{2}));
}

TEST(Planner, TransformsAxesBesideOthersTogetherWhereShortRunsFitInATile) {
  const auto local_stages = [](Index plane, Index beside, Index tile) {
    const Problem problem{.shape = {plane, plane, beside},
                          .kinds = {Kind::c2c, Kind::c2c, Kind::none}};
    return plan_schedule(resolve(problem, 1, 0), {}, {.caches = {tile, 1 << 20}}).stages.size();
  };
  EXPECT_EQ(local_stages(32, 100, 32 * 32 * 8 * 32), 1U);
  EXPECT_EQ(local_stages(32, 100, 32 * 32 * 8 * 32 - 1), 2U);
  EXPECT_EQ(local_stages(32, 8, 1), 1U) << "all lines lie in one run";
  EXPECT_EQ(local_stages(64, 9, 1 << 18), 2U);
}

TEST(Planner, FewerModesAreSentAsSoonAsTheyAreLeftAlone) {
  Problem given{.shape = {24, 24, 24},
                .input = pencil_along(2),
                .output = pencil_along(0),
                .modes = {16, 16, 16}};
  const ResolvedProblem problem = resolve(given, 4, 0);
  const Schedule schedule = plan_schedule(problem, {}, {.caches = tile_bytes});
  std::vector<Extents> sent;
  for (const Stage& stage : schedule.stages) {
    if (std::holds_alternative<RedistributeStage>(stage)) sent.push_back(before(stage).shape);
  }
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0], (Extents{24, 24, 16}));
  EXPECT_EQ(sent[1], (Extents{24, 16, 16}));
  EXPECT_EQ(after(schedule.stages.back()).shape, (Extents{16, 16, 16}));
}

TEST(Planner, FewerModesOfListedBoxesAndOfOneModeAreFound) {
  Problem given{.shape = {6, 7}, .input = slab_split(0), .modes = {6, 1}};
  // One mode: split or not, it is whole on the rank that has it, but its line was not.
  given.input = grid({1, 2});
  given.output = grid({1, 2});
  for (Index rank = 0; rank < 2; ++rank) {
    const Schedule schedule = plan_schedule(resolve(given, 2, rank), {}, {.caches = tile_bytes});
    for (const Stage& stage : schedule.stages) {
      const auto* local = std::get_if<LocalStage>(&stage);
      if (local == nullptr) continue;
      for (int axis : local->axes) {
        EXPECT_TRUE(local->before.layout.distribution.is_whole(local->before.shape, axis));
      }
    }
  }
}

TEST(Planner, HonorsTheProcessGrid) {
  for (const Extents& grid : {Extents{3, 4}, Extents{6, 2}, Extents{2, 6}}) {
    Options options;
    options.algorithm = Algorithm::pencil;
    options.grid = grid;
    const auto schedule =
        plan_schedule(cube(12, brick(), brick()).resolve(), options, {.caches = tile_bytes});
    int intermediate = 0;
    for (std::size_t i = 0; i + 1 < schedule.stages.size(); ++i) {
      const auto* move = std::get_if<RedistributeStage>(&schedule.stages[i]);
      if (move == nullptr) continue;
      ++intermediate;
      for (const GridAxis& axis : move->after.layout.distribution.grid()) {
        EXPECT_TRUE(axis.parts == 1 || axis.parts == grid[0] || axis.parts == grid[1]);
      }
    }
    EXPECT_GE(intermediate, 2);
  }
}

TEST(Planner, KeepsRedistributionsWithinNodesWhereThatIsFaster) {
  // Near-square is 4 x 8, whose rows span two nodes.
  const ResolvedProblem problem = cube(32, brick(), brick()).resolve();
  const Machine machine{.network = {1e9, 2e-6}, .ranks_per_node = 4, .caches = tile_bytes};
  const auto seconds_with = [&](const Extents& grid) {
    Options options;
    options.algorithm = Algorithm::pencil;
    options.grid = grid;
    const Schedule schedule = plan_schedule(problem, options, machine);
    return predicted_seconds(schedule, problem.precision, machine);
  };
  EXPECT_LT(seconds_with({8, 4}), 0.95 * seconds_with({4, 8}));
  EXPECT_LE(seconds_with({}), seconds_with({8, 4}) * (1 + 1e-12));
}

TEST(Planner, RefusesGridsThatDoNotFit) {
  for (const Extents& grid :
       {Extents{3, 3}, Extents{12}, Extents{2, 2, 3}, Extents{-3, -4}, Extents{0, 12}}) {
    Options options;
    options.grid = grid;
    try {
      plan_schedule(cube(12, slab_split(0), slab_split(1)).resolve(), options,
                    {.caches = tile_bytes});
      ADD_FAILURE() << to_string(grid);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "process grid " + to_string(grid) +
                                               ": give two numbers whose product is 12 (the number "
                                               "of ranks), such as 3x4");
    }
  }
}

TEST(Planner, AlgorithmsUseTheirLayoutsOnly) {
  const auto widest = [](Algorithm algorithm) {
    Options options;
    options.algorithm = algorithm;
    const auto schedule =
        plan_schedule(cube(12, brick(), brick()).resolve(), options, {.caches = tile_bytes});
    int most = 0, least = 9;
    for (std::size_t i = 0; i + 1 < schedule.stages.size(); ++i) {
      const auto* move = std::get_if<RedistributeStage>(&schedule.stages[i]);
      if (move == nullptr) continue;
      int split = 0;
      for (const GridAxis& axis : move->after.layout.distribution.grid()) split += axis.parts > 1;
      most = std::max(most, split);
      least = std::min(least, split);
    }
    return std::pair(least, most);
  };
  EXPECT_EQ(widest(Algorithm::slab), std::pair(1, 1));
  EXPECT_EQ(widest(Algorithm::pencil), std::pair(2, 2));
}

/// A problem on layouts of any kind.
ResolvedProblem random_problem(Random& random) {
  ResolvedProblem problem;
  problem.shape = test::random_shape(random, 4, 9);
  const int axes = problem.shape.size();
  for (int axis = 0; axis < axes; ++axis) {
    problem.kinds.push_back(random.chance(70) ? c2c : none);
  }
  if (random.chance(50)) problem.kinds[static_cast<int>(random.below(axes))] = r2c;
  problem.spectral = spectral_shape(problem.shape, problem.kinds);
  problem.ranks = 1 + random.below(12);
  problem.rank = random.below(problem.ranks);
  problem.input = test::random_dense_layout(random, problem.shape, problem.ranks);
  problem.output = test::random_dense_layout(random, problem.spectral, problem.ranks);
  return problem;
}

Options random_options(Random& random) {
  Options options;
  options.algorithm = random.chance(30)   ? Algorithm::slab
                      : random.chance(50) ? Algorithm::pencil
                                          : Algorithm::automatic;
  return options;
}

bool same_state(const ArrayState& a, const ArrayState& b) {
  return a.shape == b.shape && a.complex == b.complex &&
         a.layout.memory.order == b.layout.memory.order &&
         a.layout.memory.halo_lower == b.layout.memory.halo_lower &&
         same_boxes(a.layout.distribution, b.layout.distribution, a.shape);
}

TEST(Planner, EverySchedulePassesFromInputToOutputAndTransformsEachAxisOnce) {
  Random random(11);
  for (int trial = 0; trial < 500; ++trial) {
    const ResolvedProblem problem = random_problem(random);
    const Schedule schedule =
        plan_schedule(problem, random_options(random), {.caches = 1 + random.below(5000)});
    const std::string text = describe(schedule, problem);
    ArrayState state{problem.shape, problem.complex_input(), problem.input};
    std::vector<int> times(static_cast<std::size_t>(problem.shape.size()));
    for (const Stage& stage : schedule.stages) {
      ASSERT_TRUE(same_state(before(stage), state)) << text;
      if (const auto* local = std::get_if<LocalStage>(&stage)) {
        for (int axis : local->axes) {
          ++times[static_cast<std::size_t>(axis)];
          ASSERT_TRUE(local->before.layout.distribution.is_whole(local->before.shape, axis))
              << text;
          ASSERT_TRUE(local->after.layout.distribution.is_whole(local->after.shape, axis)) << text;
          // Complex kinds cannot run before the real one has made the data complex.
          ASSERT_TRUE(state.complex || local->axes[0] == halved_axis(problem.kinds)) << text;
        }
        for (int axis = 0; axis < problem.shape.size(); ++axis) {
          if (local->axes.contains(axis)) continue;
          for (Index rank = 0; rank < problem.ranks; ++rank) {
            const Box x = local->before.box(rank), y = local->after.box(rank);
            ASSERT_TRUE(x.count() == 0
                            ? y.count() == 0
                            : x.lower[axis] == y.lower[axis] && x.upper[axis] == y.upper[axis]);
          }
        }
      } else {
        ASSERT_EQ(after(stage).shape, state.shape) << text;
        ASSERT_EQ(after(stage).complex, state.complex) << text;
      }
      state = after(stage);
    }
    for (int axis = 0; axis < problem.shape.size(); ++axis) {
      ASSERT_EQ(times[static_cast<std::size_t>(axis)],
                traits(problem.kinds[axis]).transforms ? 1 : 0)
          << text;
    }
    ASSERT_TRUE(same_state(state, {problem.spectral, true, problem.output})) << text;
  }
}

TEST(Planner, TheScheduleIsTheSameForEveryRank) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    ResolvedProblem problem = random_problem(random);
    const Options options = random_options(random);
    const Schedule first = plan_schedule(problem, options, {.caches = tile_bytes});
    problem.rank = (problem.rank + 1) % problem.ranks;
    const Schedule second = plan_schedule(problem, options, {.caches = tile_bytes});
    ASSERT_EQ(first.stages.size(), second.stages.size());
    for (std::size_t i = 0; i < first.stages.size(); ++i) {
      ASSERT_EQ(first.stages[i].index(), second.stages[i].index());
      ASSERT_TRUE(same_state(before(first.stages[i]), before(second.stages[i])));
      ASSERT_TRUE(same_state(after(first.stages[i]), after(second.stages[i])));
      if (const auto* move = std::get_if<RedistributeStage>(&first.stages[i])) {
        const auto& other = std::get<RedistributeStage>(second.stages[i]);
        ASSERT_EQ(move->order, other.order);
        ASSERT_TRUE(move->group == other.group);
      }
    }
  }
}

TEST(Reversed, TwiceIsTheIdentity) {
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    const ResolvedProblem problem = random_problem(random);
    const Schedule schedule =
        plan_schedule(problem, random_options(random), {.caches = tile_bytes});
    const Schedule once = reversed(schedule);
    const Schedule twice = reversed(once);
    EXPECT_EQ(once.direction, Direction::backward);
    EXPECT_EQ(twice.direction, Direction::forward);
    ASSERT_EQ(twice.stages.size(), schedule.stages.size());
    for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
      const std::size_t mirrored = schedule.stages.size() - 1 - i;
      ASSERT_TRUE(same_state(before(once.stages[mirrored]), after(schedule.stages[i])));
      ASSERT_TRUE(same_state(after(once.stages[mirrored]), before(schedule.stages[i])));
      ASSERT_TRUE(same_state(before(twice.stages[i]), before(schedule.stages[i])));
      const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
      if (local == nullptr) continue;
      AxisList backwards = std::get<LocalStage>(once.stages[mirrored]).axes;
      std::reverse(backwards.begin(), backwards.end());
      ASSERT_EQ(backwards, local->axes);
      ASSERT_EQ(std::get<LocalStage>(twice.stages[i]).axes, local->axes);
    }
  }
}

}  // namespace
}  // namespace weft
