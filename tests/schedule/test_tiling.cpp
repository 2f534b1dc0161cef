#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/tiling.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

constexpr Index line_bytes = 64;

TilingRequest random_request(Random& random) {
  const Extents shape = test::random_shape(random, 4, 24);
  TilingRequest request;
  request.region = test::random_box(random, shape);
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (random.chance(40)) request.transformed.push_back(axis);
  }
  request.source_order = test::random_order(random, shape.size());
  request.sink_order = test::random_order(random, shape.size());
  request.bytes_per_point = Index{8} << random.below(3);
  request.budget = 1 + random.below(random.chance(50) ? 2000 : 200000);
  request.threads = 1 + static_cast<int>(random.below(4));
  return request;
}

TEST(Tiling, CoversTheBoxExactlyOnceWithWholeTransformedAxes) {
  Random random(31);
  for (int trial = 0; trial < 500; ++trial) {
    const TilingRequest request = random_request(random);
    const Tiling tiling = choose_tiling(request);
    std::vector<Box> tiles;
    for (Index number = 0; number < tiling.count(); ++number) {
      Box tile = tiling.box(number);
      ASSERT_FALSE(tile.empty());
      for (int axis : request.transformed) {
        ASSERT_EQ(tile.lower[axis], request.region.lower[axis]);
        ASSERT_EQ(tile.upper[axis], request.region.upper[axis]);
      }
      for (int axis = 0; axis < tile.axes(); ++axis) {
        ASSERT_LE(tile.extent(axis), tiling.largest()[axis]);
        // As check_tiling counts from zero.
        tile.lower[axis] -= request.region.lower[axis];
        tile.upper[axis] -= request.region.lower[axis];
      }
      tiles.push_back(tile);
    }
    ASSERT_NO_THROW(check_tiling(tiles, request.region.extents()));
    ASSERT_EQ(tiling.box(0).extents(), tiling.largest());
  }
}

TEST(Tiling, CutsAtMultiplesOfTheAlignmentAndKnowsTheShapesOfItsTiles) {
  Random random(34);
  for (int trial = 0; trial < 500; ++trial) {
    TilingRequest request = random_request(random);
    request.aligned_axis = static_cast<int>(random.below(request.region.axes()));
    request.alignment = Index{1} << random.below(4);
    const bool transformed = request.transformed.contains(request.aligned_axis);
    const Tiling tiling = choose_tiling(request);
    const std::vector<Extents> shapes = tiling.shapes();
    std::vector<Extents> seen;
    Index points = 0;
    for (Index number = 0; number < tiling.count(); ++number) {
      const Box tile = tiling.box(number);
      ASSERT_FALSE(tile.empty());
      const Index begin = tile.lower[request.aligned_axis];
      if (!transformed && begin != request.region.lower[request.aligned_axis]) {
        ASSERT_EQ(begin % request.alignment, 0);
      }
      const Extents extents = tile.extents();
      ASSERT_NE(std::find(shapes.begin(), shapes.end(), extents), shapes.end());
      for (int axis = 0; axis < tile.axes(); ++axis) {
        ASSERT_LE(extents[axis], tiling.largest()[axis]);
      }
      if (std::find(seen.begin(), seen.end(), extents) == seen.end()) seen.push_back(extents);
      points += tile.count();
    }
    ASSERT_EQ(points, request.region.count());
    ASSERT_EQ(seen.size(), shapes.size());
  }
}

TEST(Tiling, KeepsWithinTheBudgetBeyondWholeLines) {
  Random random(32);
  for (int trial = 0; trial < 2000; ++trial) {
    TilingRequest request = random_request(random);
    const Tiling tiling = choose_tiling(request);
    // What no tile can do without: transformed lines, and a cache line along the fastest axis of
    // either side.
    const Index line =
        (line_bytes + request.bytes_per_point / 2 - 1) / (request.bytes_per_point / 2);
    Index least = request.bytes_per_point;
    for (int axis = 0; axis < request.region.axes(); ++axis) {
      const bool fastest = axis == request.source_order.back() || axis == request.sink_order.back();
      if (request.transformed.contains(axis)) {
        least *= request.region.extent(axis);
      } else if (fastest) {
        least *= std::min(line, request.region.extent(axis));
      }
    }
    const Index bytes = product(tiling.largest()) * request.bytes_per_point;
    ASSERT_LE(bytes, std::max(request.budget, least)) << to_string(tiling.largest());
  }
}

TEST(Tiling, UsesTheBudget) {
  TilingRequest request;
  request.region = whole({64, 64, 64});
  request.transformed = {2};
  request.source_order = request.sink_order = {0, 1, 2};
  request.bytes_per_point = 32;
  request.budget = 64 * 64 * 32;
  EXPECT_EQ(choose_tiling(request).largest(), (Extents{1, 64, 64}));
  request.budget = Index{1} << 30;
  EXPECT_EQ(choose_tiling(request).count(), 1);
  request.budget = 1;
  EXPECT_EQ(choose_tiling(request).largest(), (Extents{1, 1, 64}));
}

TEST(Tiling, GivesEveryThreadATileWherePossible) {
  Random random(33);
  for (int trial = 0; trial < 500; ++trial) {
    TilingRequest request = random_request(random);
    Index separable = 1;
    for (int axis = 0; axis < request.region.axes(); ++axis) {
      if (!request.transformed.contains(axis)) separable *= request.region.extent(axis);
    }
    ASSERT_GE(choose_tiling(request).count(), std::min<Index>(separable, request.threads));
  }
}

TEST(Tiling, AnEmptyBoxHasNoTiles) {
  TilingRequest request;
  request.region = empty_box(2);
  request.source_order = request.sink_order = {0, 1};
  EXPECT_EQ(choose_tiling(request).count(), 0);
}

}  // namespace
}  // namespace weft
