#include <gtest/gtest.h>

#include "geometry/distribution.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

std::string complaint(const std::vector<Box>& boxes, const Extents& shape) {
  try {
    check_tiling(boxes, shape);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckTiling, AcceptsEmptyBoxesAnywhere) {
  EXPECT_EQ(complaint({{{0}, {4}}, {{2}, {2}}, {{4}, {8}}, {{9}, {9}}}, {8}), "");
  EXPECT_EQ(complaint({{{0, 0}, {4, 4}}, {{0, 2}, {4, 2}}}, {4, 4}), "");
}

TEST(CheckTiling, NamesBoxesThatOverlap) {
  EXPECT_EQ(complaint({{{0, 0}, {4, 4}}, {{4, 0}, {8, 2}}, {{3, 2}, {8, 4}}}, {8, 4}),
            "boxes overlap: box [0,4)x[0,4) of rank 0 and box [3,8)x[2,4) of rank 2 share "
            "[3,4)x[2,4)");
  // The same box twice, and one inside another.
  EXPECT_EQ(complaint({{{0}, {8}}, {{0}, {8}}}, {8}),
            "boxes overlap: box [0,8) of rank 0 and box [0,8) of rank 1 share [0,8)");
  EXPECT_NE(complaint({{{2}, {3}}, {{0}, {8}}}, {8}).find("share [2,3)"), std::string::npos);
}

TEST(CheckTiling, NamesTheFirstUncoveredPoint) {
  EXPECT_EQ(complaint({{{0, 0}, {4, 4}}, {{4, 0}, {8, 3}}}, {8, 4}),
            "boxes leave a hole: they cover 28 of 32 points of the array 8x4; the first point of "
            "no rank is (4,3)");
  EXPECT_EQ(complaint({{{1}, {8}}}, {8}),
            "boxes leave a hole: they cover 7 of 8 points of the array 8; the first point of no "
            "rank is (0)");
  EXPECT_NE(complaint({empty_box(2), empty_box(2)}, {2, 3}).find("is (0,0)"), std::string::npos);
}

TEST(CheckTiling, NamesBoxesOutsideTheArray) {
  EXPECT_EQ(complaint({{{0}, {4}}, {{4}, {9}}}, {8}),
            "box [4,9) of rank 1 is not inside the array 8");
  EXPECT_EQ(complaint({{{-1}, {4}}, {{4}, {8}}}, {8}),
            "box [-1,4) of rank 0 is not inside the array 8");
}

TEST(CheckTiling, NamesNegativeLengths) {
  EXPECT_EQ(complaint({{{0}, {8}}, {{5}, {3}}}, {8}), "box [5,3) of rank 1 has a negative length");
}

TEST(CheckTiling, NamesBoxesWithTheWrongNumberOfAxes) {
  EXPECT_EQ(complaint({{{0}, {8}}}, {8, 8}), "box [0,8) of rank 0 has not 2 axes as the array 8x8");
  EXPECT_NE(complaint({{{0, 0}, {8}}}, {8, 8}), "");
}

/// Number of boxes that own each point; empty where a box reaches outside.
std::vector<int> owners(const std::vector<Box>& boxes, const Extents& shape) {
  std::vector<int> count(static_cast<std::size_t>(product(shape)));
  for (std::size_t number = 0; number < count.size(); ++number) {
    Extents point = shape;
    auto rest = static_cast<Index>(number);
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      point[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    Box single{point, point};
    for (Index& upper : single.upper) ++upper;
    for (const Box& box : boxes) {
      if (!box.empty() && contains(box, single)) ++count[number];
    }
  }
  return count;
}

TEST(CheckTiling, AgreesWithCountingTheOwnersOfEachPoint) {
  Random random(5);
  int wrong = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Extents shape = test::random_shape(random, 3, 6);
    auto boxes = test::random_boxes(shape, 1 + static_cast<int>(random.below(7)), random.engine());
    for (Index changes = random.below(3); changes > 0; --changes) {
      Box& box = boxes[static_cast<std::size_t>(random.below(static_cast<Index>(boxes.size())))];
      const int axis = static_cast<int>(random.below(shape.size()));
      Index& face = random.chance(50) ? box.lower[axis] : box.upper[axis];
      face = std::clamp<Index>(face + (random.chance(50) ? 1 : -1), 0, shape[axis]);
      if (box.lower[axis] > box.upper[axis]) std::swap(box.lower[axis], box.upper[axis]);
    }
    const auto count = owners(boxes, shape);
    const bool overlap = std::any_of(count.begin(), count.end(), [](int n) { return n > 1; });
    const auto hole = std::find(count.begin(), count.end(), 0);
    const std::string text = complaint(boxes, shape);
    if (overlap) {
      ++wrong;
      ASSERT_EQ(text.rfind("boxes overlap", 0), 0u) << text;
    } else if (hole != count.end()) {
      ++wrong;
      std::string point;
      Index rest = hole - count.begin();
      for (int axis = shape.size() - 1; axis >= 0; --axis) {
        point = std::to_string(rest % shape[axis]) + (point.empty() ? "" : "," + point);
        rest /= shape[axis];
      }
      ASSERT_NE(text.find("no rank is (" + point + ")"), std::string::npos) << text << " " << point;
    } else {
      ASSERT_EQ(text, "");
    }
  }
  EXPECT_GT(wrong, 100);
}

}  // namespace
}  // namespace weft
