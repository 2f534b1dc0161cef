#include <gtest/gtest.h>

#include <map>

#include "schedule/planner.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

using Route = std::pair<Index, Index>;  // from, to

struct AllMessages {
  std::map<Route, Box> sent, received;
};

/// The lists of all ranks, each checked to be in increasing order of peers.
AllMessages all_messages(const RedistributeStage& stage, Index ranks) {
  AllMessages all;
  for (Index rank = 0; rank < ranks; ++rank) {
    const MessageLists own = messages(stage, rank);
    Index previous = -1;
    for (const MessageRegion& message : own.sends) {
      EXPECT_GT(message.peer, previous);
      previous = message.peer;
      all.sent[{rank, message.peer}] = message.region;
    }
    previous = -1;
    for (const MessageRegion& message : own.receives) {
      EXPECT_GT(message.peer, previous);
      previous = message.peer;
      all.received[{message.peer, rank}] = message.region;
    }
  }
  return all;
}

RedistributeStage random_stage(Random& random, Index ranks) {
  const Extents shape = test::random_shape(random, 4, 8);
  return {{shape, true, test::random_dense_layout(random, shape, ranks)},
          {shape, true, test::random_dense_layout(random, shape, ranks)},
          {},
          natural_order(shape.size())};
}

TEST(Messages, SendEveryPointOnceToItsNewOwner) {
  Random random(21);
  for (int trial = 0; trial < 500; ++trial) {
    const Index ranks = 1 + random.below(12);
    const RedistributeStage stage = random_stage(random, ranks);
    const AllMessages all = all_messages(stage, ranks);
    ASSERT_EQ(all.sent, all.received);
    std::vector<int> times(static_cast<std::size_t>(product(stage.before.shape)));
    for (const auto& [route, region] : all.sent) {
      ASSERT_FALSE(region.empty());
      ASSERT_TRUE(contains(stage.before.box(route.first), region));
      ASSERT_TRUE(contains(stage.after.box(route.second), region));
      const Extents extents = region.extents();
      for (Index number = 0; number < region.count(); ++number) {
        Index rest = number, position = 0, weight = 1;
        for (int axis = extents.size() - 1; axis >= 0; --axis) {
          position += (region.lower[axis] + rest % extents[axis]) * weight;
          weight *= stage.before.shape[axis];
          rest /= extents[axis];
        }
        ++times[static_cast<std::size_t>(position)];
      }
    }
    for (int n : times) ASSERT_EQ(n, 1);
  }
}

/// Every combination of some digits of the rank in a mixed radix.
Group random_group(Random& random, Index& ranks) {
  Group group;
  ranks = 1;
  for (Index digit = random.below(5); digit > 0; --digit) {
    const Index parts = 1 + random.below(4);
    if (random.chance(50)) group.fixed.push_back({parts, ranks});
    ranks *= parts;
  }
  return group;
}

TEST(Group, RankWithinIsThePositionAmongRanksOfTheSameColor) {
  Random random(22);
  for (int trial = 0; trial < 300; ++trial) {
    Index ranks = 1;
    const Group group = random_group(random, ranks);
    std::map<Index, Index> members;  // by color
    Index colors = 1;
    for (const GridFactor& factor : group.fixed) colors *= factor.parts;
    for (Index rank = 0; rank < ranks; ++rank) {
      const Index color = group.color(rank);
      ASSERT_GE(color, 0);
      ASSERT_LT(color, colors);
      ASSERT_EQ(group.rank_within(rank), members[color]++) << "rank " << rank << " of " << ranks;
    }
    ASSERT_EQ(static_cast<Index>(members.size()), colors);
    for (const auto& [color, count] : members) ASSERT_EQ(count, ranks / colors) << color;
  }
}

TEST(Group, FixedFactorsDecideEquality) {
  EXPECT_TRUE((Group{{{2, 3}}} == Group{{{2, 3}}}));
  EXPECT_FALSE((Group{{{2, 3}}} == Group{{{2, 1}}}));
  EXPECT_FALSE((Group{{{2, 3}}} == Group{{}}));
  EXPECT_FALSE((Group{{{2, 3}}} == Group{{{3, 3}}}));
}

TEST(Group, OnlyRanksOfTheSameColorExchange) {
  Random random(23);
  int grouped = 0;
  for (const Index ranks : {4, 6, 8, 12, 24, 36}) {
    for (const LayoutSpec& in :
         {pencil_along(0), pencil_along(1), pencil_along(2), brick(), slab_split(0)}) {
      for (const LayoutSpec& out : {pencil_along(0), pencil_along(2), brick(), slab_split(1)}) {
        Options options;
        options.algorithm = random.chance(50) ? Algorithm::pencil : Algorithm::automatic;
        const ResolvedProblem problem = resolve({.shape = {12, 13, 14},
                                                 .kinds = random.chance(50) ? r2c : c2c,
                                                 .input = in,
                                                 .output = out},
                                                ranks, 0);
        for (const Stage& stage : plan_schedule(problem, options, {.caches = 1 << 20}).stages) {
          const auto* move = std::get_if<RedistributeStage>(&stage);
          if (move == nullptr) continue;
          if (!move->group.fixed.empty()) ++grouped;
          for (const auto& [route, region] : all_messages(*move, ranks).sent) {
            ASSERT_EQ(move->group.color(route.first), move->group.color(route.second));
          }
        }
      }
    }
  }
  EXPECT_GT(grouped, 100);
}

TEST(Group, PencilsExchangeWithinRowsAndColumns) {
  Options options;
  options.algorithm = Algorithm::pencil;
  const ResolvedProblem problem =
      resolve({.shape = {64, 64, 64}, .input = pencil_along(2), .output = pencil_along(0)}, 12, 0);
  std::vector<Index> sizes;
  for (const Stage& stage : plan_schedule(problem, options, {.caches = 1 << 20}).stages) {
    const auto* move = std::get_if<RedistributeStage>(&stage);
    if (move == nullptr) continue;
    sizes.push_back(static_cast<Index>(messages(*move, 5).sends.size()));
  }
  // The grid is 3 x 4: one exchange within rows, one within columns.
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes, (std::vector<Index>{3, 4}));
}

TEST(Messages, HoldBeyond32Bits) {
  const ResolvedProblem problem = resolve(
      {.shape = {1 << 15, 1 << 15, 1 << 15}, .input = slab_split(0), .output = slab_split(1)}, 2,
      1);
  const auto schedule = plan_schedule(problem, {}, {.caches = 1 << 20});
  Index points = 0;
  for (const Stage& stage : schedule.stages) {
    const auto* move = std::get_if<RedistributeStage>(&stage);
    if (move == nullptr) continue;
    for (const MessageRegion& message : messages(*move, 1).sends) points += message.region.count();
  }
  EXPECT_EQ(points, Index{1} << 44);
}

}  // namespace
}  // namespace weft
