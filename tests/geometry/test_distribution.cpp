#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "geometry/distribution.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

std::vector<Index> parts_of(Index ranks, int count) {
  std::vector<Index> parts;
  for (const GridFactor& factor : near_equal_factors(ranks, count)) parts.push_back(factor.parts);
  return parts;
}

TEST(NearEqualFactors, AreAsEqualAsTwoFactorsCanBe) {
  for (Index ranks = 1; ranks <= 2000; ++ranks) {
    Index smaller = 1;
    for (Index d = 1; d * d <= ranks; ++d) {
      if (ranks % d == 0) smaller = d;
    }
    ASSERT_EQ(parts_of(ranks, 2), (std::vector<Index>{smaller, ranks / smaller})) << ranks;
  }
}

TEST(NearEqualFactors, MultiplyToTheRanksInIncreasingOrder) {
  for (int count = 1; count <= 4; ++count) {
    for (Index ranks = 1; ranks <= 500; ++ranks) {
      const auto parts = parts_of(ranks, count);
      ASSERT_EQ(static_cast<int>(parts.size()), count);
      Index all = 1;
      for (Index p : parts) all *= p;
      ASSERT_EQ(all, ranks);
      ASSERT_TRUE(std::is_sorted(parts.begin(), parts.end()));
    }
  }
  EXPECT_EQ(parts_of(12, 3), (std::vector<Index>{2, 2, 3}));
  EXPECT_EQ(parts_of(64, 3), (std::vector<Index>{4, 4, 4}));
  EXPECT_EQ(parts_of(7, 3), (std::vector<Index>{1, 1, 7}));
  EXPECT_EQ(parts_of(1048576, 2), (std::vector<Index>{1024, 1024}));
  EXPECT_EQ(parts_of(1000003, 2), (std::vector<Index>{1, 1000003}));
}

TEST(RowMajorFactors, LastVariesFastest) {
  const auto factors = row_major_factors({2, 3, 5});
  ASSERT_EQ(factors.size(), 3u);
  EXPECT_EQ(factors[0].rank_stride, 15);
  EXPECT_EQ(factors[1].rank_stride, 5);
  EXPECT_EQ(factors[2].rank_stride, 1);
}

TEST(Distribution, GridPutsRanksInRowMajorOrder) {
  const auto grid = Distribution::by_grid({{2, 3, Split::balanced}, {3, 1, Split::balanced}}, 6);
  const Extents shape{4, 7};
  EXPECT_EQ(grid.box(shape, 0), (Box{{0, 0}, {2, 3}}));
  EXPECT_EQ(grid.box(shape, 1), (Box{{0, 3}, {2, 5}}));
  EXPECT_EQ(grid.box(shape, 2), (Box{{0, 5}, {2, 7}}));
  EXPECT_EQ(grid.box(shape, 5), (Box{{2, 5}, {4, 7}}));
  EXPECT_EQ(to_string(grid), "grid 2x3");
}

TEST(Distribution, BoxesTileTheArray) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Extents shape = test::random_shape(random, 4, 9);
    const Index ranks = 1 + random.below(13);
    const Distribution distribution = test::random_distribution(random, shape, ranks);
    std::vector<Box> boxes;
    for (Index rank = 0; rank < ranks; ++rank) boxes.push_back(distribution.box(shape, rank));
    EXPECT_NO_THROW(check_tiling(boxes, shape)) << to_string(distribution) << to_string(shape);
  }
}

TEST(Distribution, RanksBeyondTheGridOwnNothing) {
  const auto grid = Distribution::by_grid({{2, 1, Split::balanced}}, 5);
  EXPECT_EQ(grid.grid_size(), 2);
  for (Index rank = 2; rank < 5; ++rank) EXPECT_TRUE(grid.box({8}, rank).empty());
  EXPECT_EQ(grid.box({8}, 1), (Box{{4}, {8}}));
}

TEST(Distribution, OverlapsAgreeWithBruteForce) {
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const Extents shape = test::random_shape(random, 4, 9);
    const Index ranks = 1 + random.below(13);
    const Distribution distribution = test::random_distribution(random, shape, ranks);
    const Box box = test::random_box(random, shape);
    std::map<Index, Box> expected, found;
    for (Index rank = 0; rank < ranks; ++rank) {
      const Box common = intersection(distribution.box(shape, rank), box);
      if (!common.empty()) expected[rank] = common;
    }
    distribution.for_each_overlap(shape, box, [&](Index rank, const Box& common) {
      EXPECT_TRUE(found.emplace(rank, common).second) << "rank " << rank << " visited twice";
    });
    ASSERT_EQ(found, expected) << to_string(distribution) << " of " << to_string(shape) << ", "
                               << to_string(box);
  }
}

TEST(Distribution, OverlapsOfAHugeGridAreFoundAmongNeighborsOnly) {
  // Visiting all of the 2^40 ranks would take hours.
  const Index side = Index{1} << 20;
  const auto grid = Distribution::by_grid(
      {{side, side, Split::balanced}, {side, 1, Split::balanced}}, side * side);
  const Extents shape{side * 8, side * 8};
  int visits = 0;
  grid.for_each_overlap(shape, {{4, 80}, {12, 96}}, [&](Index rank, const Box&) {
    ++visits;
    EXPECT_TRUE(rank == 10 || rank == 11 || rank == side + 10 || rank == side + 11) << rank;
  });
  EXPECT_EQ(visits, 4);
}

TEST(Distribution, QuestionsAgreeWithBruteForce) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const Extents shape = test::random_shape(random, 3, 7);
    const Index ranks = 1 + random.below(9);
    const Distribution a = test::random_distribution(random, shape, ranks);
    const Distribution b = random.chance(20) ? a : test::random_distribution(random, shape, ranks);
    Index largest = 0;
    bool same = true;
    for (Index rank = 0; rank < ranks; ++rank) {
      const Box in_a = a.box(shape, rank), in_b = b.box(shape, rank);
      largest = std::max(largest, in_a.count());
      same = same && ((in_a.empty() && in_b.empty()) || in_a == in_b);
    }
    EXPECT_EQ(a.largest_count(shape), largest);
    if (a.is_grid() && b.is_grid()) {
      // Different rules that happen to give equal boxes may count as different, not the reverse.
      EXPECT_LE(same_boxes(a, b, shape), same) << to_string(a) << " and " << to_string(b);
    } else {
      EXPECT_EQ(same_boxes(a, b, shape), same) << to_string(a) << " and " << to_string(b);
    }
    EXPECT_TRUE(same_boxes(a, a, shape));
    for (int axis = 0; axis < shape.size(); ++axis) {
      bool whole_everywhere = true;
      for (Index rank = 0; rank < ranks; ++rank) {
        const Box box = a.box(shape, rank);
        if (!box.empty() && box.extent(axis) != shape[axis]) whole_everywhere = false;
      }
      EXPECT_EQ(a.is_whole(shape, axis), whole_everywhere) << to_string(a) << " " << axis;
    }
  }
}

TEST(Distribution, ListedBoxesCompareByContent) {
  const std::vector<Box> boxes{{{0}, {3}}, {{3}, {3}}, {{3}, {8}}};
  const std::vector<Box> other_empty{{{0}, {3}}, {{0}, {0}}, {{3}, {8}}};
  const std::vector<Box> swapped{{{3}, {8}}, {{3}, {3}}, {{0}, {3}}};
  const auto a = Distribution::by_boxes(boxes);
  EXPECT_TRUE(same_boxes(a, Distribution::by_boxes(other_empty), {8}));
  EXPECT_FALSE(same_boxes(a, Distribution::by_boxes(swapped), {8}));
  const auto grid = Distribution::by_grid({{2, 1, Split::balanced}}, 2);
  EXPECT_TRUE(same_boxes(grid, Distribution::by_boxes({{{0}, {4}}, {{4}, {8}}}), {8}));
  EXPECT_FALSE(same_boxes(grid, Distribution::by_boxes({{{0}, {5}}, {{5}, {8}}}), {8}));
}

TEST(Distribution, AWholeAxisCanBeAdded) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Extents shape = test::random_shape(random, 3, 7);
    const Index ranks = 1 + random.below(7);
    const Distribution plain = test::random_distribution(random, shape, ranks);
    const Distribution with = plain.with_whole_axis(3);
    Extents longer = shape;
    longer.push_back(3);
    for (Index rank = 0; rank < ranks; ++rank) {
      const Box before = plain.box(shape, rank);
      const Box after = with.box(longer, rank);
      ASSERT_EQ(after.count(), 3 * before.count());
      if (before.empty()) continue;
      for (int axis = 0; axis < shape.size(); ++axis) {
        ASSERT_EQ(after.lower[axis], before.lower[axis]);
        ASSERT_EQ(after.upper[axis], before.upper[axis]);
      }
    }
    EXPECT_TRUE(with.is_whole(longer, shape.size()));
  }
}

}  // namespace
}  // namespace weft
