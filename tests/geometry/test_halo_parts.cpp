#include "geometry/halo_parts.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

HaloWidths random_widths(Random& random, int axes) {
  HaloWidths widths;
  for (int axis = 0; axis < axes; ++axis) {
    widths.lower.push_back(random.below(4));
    widths.upper.push_back(random.below(4));
    widths.periodic.push_back(random.chance(60));
  }
  return widths;
}

std::vector<Extents> points_of(const Box& box) {
  std::vector<Extents> points;
  const Extents extents = box.extents();
  for (Index number = 0; number < box.count(); ++number) {
    Extents point = box.lower;
    Index rest = number;
    for (int axis = box.axes() - 1; axis >= 0; --axis) {
      point[axis] += rest % extents[axis];
      rest /= extents[axis];
    }
    points.push_back(point);
  }
  return points;
}

/// The coordinates within the array of a point beyond a periodic border.
Extents inside(Extents point, const Extents& shape) {
  for (int axis = 0; axis < shape.size(); ++axis) {
    point[axis] = (point[axis] % shape[axis] + shape[axis]) % shape[axis];
  }
  return point;
}

bool contains_point(const Box& box, const Extents& point) {
  Box one{point, point};
  for (Index& coordinate : one.upper) ++coordinate;
  return contains(box, one);
}

/// By definition: all points within the widths that exist and are not the rank's own.
std::set<std::vector<Index>> halo_points(const Box& own, const Extents& shape,
                                         const HaloWidths& widths) {
  Box around = own;
  for (int axis = 0; axis < shape.size(); ++axis) {
    around.lower[axis] -= widths.lower[axis];
    around.upper[axis] += widths.upper[axis];
  }
  std::set<std::vector<Index>> points;
  for (const Extents& point : points_of(around)) {
    bool exists = !contains_point(own, point);
    for (int axis = 0; axis < shape.size(); ++axis) {
      exists = exists && (widths.periodic[axis] || (point[axis] >= 0 && point[axis] < shape[axis]));
    }
    if (exists) points.emplace(point.begin(), point.end());
  }
  return points;
}

TEST(HaloParts, HoldEveryPointOfTheHaloOnceFromItsOwner) {
  Random random(41);
  for (int trial = 0; trial < 400; ++trial) {
    const Extents shape = test::random_shape(random, 3, 7);
    const Index ranks = 1 + random.below(12);
    const Distribution distribution = test::random_distribution(random, shape, ranks);
    const HaloWidths widths = random_widths(random, shape.size());
    for (Index rank = 0; rank < ranks; ++rank) {
      const HaloParts parts = halo_parts(distribution, shape, widths, rank);
      const Box own = distribution.box(shape, rank);
      if (own.empty()) {
        ASSERT_TRUE(parts.halo.empty() && parts.owned.empty());
        continue;
      }
      auto missing = halo_points(own, shape, widths);
      for (const HaloPart& part : parts.halo) {
        ASSERT_FALSE(part.region.empty());
        const Box owner = distribution.box(shape, part.peer);
        for (const Extents& point : points_of(part.region)) {
          ASSERT_EQ(missing.erase({point.begin(), point.end()}), 1u) << "twice or not of the halo";
          ASSERT_TRUE(contains_point(owner, inside(point, shape)));
        }
      }
      ASSERT_TRUE(missing.empty());
      for (const HaloPart& part : parts.owned) ASSERT_TRUE(contains(own, part.region));
    }
  }
}

TEST(HaloParts, AreInTheSameOrderOnBothRanks) {
  Random random(42);
  for (int trial = 0; trial < 400; ++trial) {
    const Extents shape = test::random_shape(random, 4, 6);
    const Index ranks = 1 + random.below(12);
    const Distribution distribution = test::random_distribution(random, shape, ranks);
    const HaloWidths widths = random_widths(random, shape.size());
    using Route = std::pair<Index, Index>;  // from, to
    std::map<Route, std::vector<Box>> given, taken;
    for (Index rank = 0; rank < ranks; ++rank) {
      const HaloParts parts = halo_parts(distribution, shape, widths, rank);
      Index previous = 0;
      for (const HaloPart& part : parts.owned) {
        ASSERT_GE(part.peer, previous);
        previous = part.peer;
        given[{rank, part.peer}].push_back(part.region);
      }
      previous = 0;
      for (const HaloPart& part : parts.halo) {
        ASSERT_GE(part.peer, previous);
        previous = part.peer;
        const Extents corner = inside(part.region.lower, shape);
        Box region{corner, corner};
        for (int axis = 0; axis < shape.size(); ++axis) {
          region.upper[axis] += part.region.extent(axis);
        }
        taken[{part.peer, rank}].push_back(region);
      }
    }
    ASSERT_EQ(given, taken);
  }
}

TEST(HaloParts, WrapAroundAnAxisOfFewerPointsThanTheirWidth) {
  const Distribution alone = Distribution::by_grid({GridAxis{}}, 1);
  const HaloParts parts = halo_parts(alone, {2}, {{5}, {1}, {true}}, 0);
  const std::vector<Box> halo{{{-5}, {-4}}, {{-4}, {-2}}, {{-2}, {0}}, {{2}, {3}}};
  const std::vector<Box> owned{{{1}, {2}}, {{0}, {2}}, {{0}, {2}}, {{0}, {1}}};
  ASSERT_EQ(parts.halo.size(), halo.size());
  for (std::size_t i = 0; i < halo.size(); ++i) {
    EXPECT_EQ(parts.halo[i].region, halo[i]);
    EXPECT_EQ(parts.owned[i].region, owned[i]);
  }
}

/// Peers, without the rank itself.
std::set<Index> peers(const std::vector<HaloPart>& parts, Index rank) {
  std::set<Index> result;
  for (const HaloPart& part : parts) result.insert(part.peer);
  result.erase(rank);
  return result;
}

TEST(HaloParts, OfOneRankAmongAMillion) {
  const Extents shape{1024, 1024, 1024};
  const Index ranks = 128 * 128 * 64;
  const Distribution bricks = Distribution::by_grid(
      {{128, 128 * 64, Split::balanced}, {128, 64, Split::balanced}, {64, 1, Split::balanced}},
      ranks);
  for (const bool wraps : {false, true}) {
    const HaloWidths widths{{2, 2, 2}, {2, 2, 2}, {wraps, wraps, wraps}};
    EXPECT_EQ(peers(halo_parts(bricks, shape, widths, 0).owned, 0).size(), wraps ? 26u : 7u);
    const HaloParts inner = halo_parts(bricks, shape, widths, ranks / 2 + 64 * 64 + 32);
    EXPECT_EQ(inner.owned.size(), 26u);
    EXPECT_EQ(inner.halo.size(), 26u);
    Index points = 0;
    for (const HaloPart& part : inner.halo) points += part.region.count();
    EXPECT_EQ(points, 12 * 12 * 20 - 8 * 8 * 16);
  }
}

TEST(HaloParts, HoldBeyond32Bits) {
  const Index length = Index{1} << 40;
  const Distribution slabs = Distribution::by_grid({{1 << 20, 1, Split::balanced}}, 1 << 20);
  const HaloParts parts = halo_parts(slabs, {length}, {{1}, {3 << 20}, {true}}, (1 << 20) - 1);
  ASSERT_EQ(parts.halo.size(), 4u);
  EXPECT_EQ(parts.halo[0].peer, 0);
  EXPECT_EQ(parts.halo[0].region, (Box{{length}, {length + (1 << 20)}}));
  EXPECT_EQ(parts.halo[3].peer, (1 << 20) - 2);
  EXPECT_EQ(parts.halo[3].region, (Box{{length - (1 << 20) - 1}, {length - (1 << 20)}}));
}

}  // namespace
}  // namespace weft
