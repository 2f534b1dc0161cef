#include <gtest/gtest.h>

#include <limits>

#include "weft/box.hpp"

namespace weft {
namespace {

TEST(Axes, HoldOneMoreThanAUserMayHave) {
  Extents extents;
  for (int i = 0; i <= max_axes; ++i) extents.push_back(i);
  EXPECT_EQ(extents.size(), max_axes + 1);
  EXPECT_THROW(extents.push_back(0), Error);
  EXPECT_EQ(extents.size(), max_axes + 1);
}

TEST(Axes, CompareByLengthAndValue) {
  EXPECT_EQ((Extents{1, 2}), (Extents{1, 2}));
  EXPECT_NE((Extents{1, 2}), (Extents{1, 2, 3}));
  EXPECT_NE((Extents{1, 2}), (Extents{1, 3}));
  EXPECT_TRUE((AxisList{2, 0}).contains(0));
  EXPECT_FALSE((AxisList{2, 0}).contains(1));
  EXPECT_EQ(to_string(Extents{4, 8, 16}), "4x8x16");
  EXPECT_EQ(to_string(AxisList{0, 2, 1}), "(0,2,1)");
}

TEST(Axes, ProductIsCheckedFor63Bits) {
  EXPECT_EQ(product(Extents{}), 1);
  EXPECT_EQ(product(Extents{1 << 20, 1 << 20, 1 << 20}), Index{1} << 60);
  EXPECT_THROW(product(Extents{1 << 21, 1 << 21, 1 << 21}), Error);
  EXPECT_THROW(product(Extents{std::numeric_limits<Index>::max(), 2}), Error);
}

TEST(Box, CountsPoints) {
  const Box box{{1, 2}, {4, 7}};
  EXPECT_EQ(box.extents(), (Extents{3, 5}));
  EXPECT_EQ(box.count(), 15);
  EXPECT_FALSE(box.empty());
  EXPECT_EQ(to_string(box), "[1,4)x[2,7)");
  EXPECT_TRUE(empty_box(3).empty());
  EXPECT_EQ(empty_box(3).count(), 0);
  EXPECT_EQ((Box{{3, 0}, {3, 5}}).count(), 0);
  EXPECT_EQ(whole({4, 5}).count(), 20);
}

TEST(Box, IntersectionAgreesWithPointwiseTest) {
  // All pairs of intervals within [0, 5), on both axes.
  const auto inside = [](const Box& box, Index x, Index y) {
    return x >= box.lower[0] && x < box.upper[0] && y >= box.lower[1] && y < box.upper[1];
  };
  std::vector<Box> all;
  for (Index a = 0; a <= 4; a += 2) {
    for (Index b = a; b <= 5; ++b) {
      for (Index c = 0; c <= 4; c += 3) {
        for (Index d = c; d <= 5; d += 2) all.push_back({{a, c}, {b, d}});
      }
    }
  }
  for (const Box& p : all) {
    for (const Box& q : all) {
      const Box common = intersection(p, q);
      bool q_in_p = true;
      for (Index x = 0; x < 5; ++x) {
        for (Index y = 0; y < 5; ++y) {
          ASSERT_EQ(inside(common, x, y), inside(p, x, y) && inside(q, x, y))
              << to_string(p) << " and " << to_string(q);
          if (inside(q, x, y) && !inside(p, x, y)) q_in_p = false;
        }
      }
      if (!q.empty()) {
        EXPECT_EQ(contains(p, q), q_in_p) << to_string(p) << to_string(q);
      }
    }
  }
}

}  // namespace
}  // namespace weft
