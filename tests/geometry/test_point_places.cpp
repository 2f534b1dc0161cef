// Places in an array tell the points of its numbers.
#include "weft/kernels/point_places.hpp"

#include <gtest/gtest.h>

#include <random>

namespace weft::test {
namespace {

using detail::make_point_places;
using detail::PointPlaces;

/// An array of three axes and fields, fastest first; each stride is the length of what is inside,
/// and gaps of so many numbers.
PointBlock block_of(const Index (&counts)[4], const Index (&gaps)[4]) {
  PointBlock block;
  block.first.index = {5, 6, 7};
  block.first.field = 8;
  block.first.offset = 100;
  block.loop_count = 0;
  constexpr int axes[] = {2, 0, 3, 1};
  Index stride = 1;
  for (int i = 0; i < 4; ++i) {
    stride *= gaps[i];
    if (counts[i] > 1)
      block.loops[block.loop_count++] = {counts[i], stride, stride, stride, axes[i]};
    stride *= counts[i];
  }
  return block;
}

TEST(PointPlaces, AreThoseOfAllNumbers) {
  std::mt19937 random(1);
  const auto draw = [&](Index most) { return 1 + static_cast<Index>(random() % most); };
  for (int again = 0; again < 200; ++again) {
    const Index counts[] = {draw(5), draw(4), draw(3), draw(4)};
    const Index gaps[] = {draw(3), draw(3), draw(2), draw(3)};
    const PointBlock block = block_of(counts, gaps);
    PointPlaces places;
    ASSERT_TRUE(make_point_places(block, places));
    for (Index i = 0; i < product(Extents{counts[0], counts[1], counts[2], counts[3]}); ++i) {
      Index rest = i, place = 0, at[4] = {}, stride = 1;
      for (int loop = 0; loop < 4; ++loop) {
        at[loop] = rest % counts[loop];
        rest /= counts[loop];
        stride *= gaps[loop];
        place += at[loop] * stride;
        stride *= counts[loop];
      }
      const Point point = places.at(static_cast<std::uint32_t>(place));
      EXPECT_EQ(point.index, (Extents{5 + at[1], 6 + at[3], 7 + at[0]}));
      EXPECT_EQ(point.field, 8 + at[2]);
      EXPECT_EQ(point.offset, 100 + place);
    }
  }
}

TEST(PointPlaces, LeadAlongLinesOfEachAxis) {
  const Extents lengths{2, 3, 4, 5, 3, 2};
  PointBlock block;
  block.first.index = {9, 8, 7, 6, 5, 4};
  block.first.offset = 100;
  block.loop_count = 0;
  Index stride = 1;
  for (const int axis : {4, 2, 0, 5, 3, 1}) {
    block.loops[block.loop_count++] = {lengths[axis], stride, stride, stride, axis};
    stride *= lengths[axis];
  }
  PointPlaces places;
  ASSERT_TRUE(make_point_places(block, places));
  for (int i = 0; i < block.loop_count; ++i) {
    const PointBlock::Loop& line = block.loops[i];
    places.follow_lines(line.to);
    const Point expected = places.at(static_cast<std::uint32_t>(line.to));
    Point point = places.at(0);
    places.advance<PointPlaces::any_axis>(point, 1, line.to);
    EXPECT_EQ(point.index, expected.index) << line.axis;
    EXPECT_EQ(point.index[line.axis], block.first.index[line.axis] + 1);
    EXPECT_EQ(point.offset, expected.offset) << line.axis;
    for (int axis = 0; axis < max_axes; ++axis) {
      EXPECT_EQ(places.has_lines_along(axis, line.to), axis == line.axis) << line.axis;
    }
    if (line.axis != 2) continue;
    point = places.at(0);
    places.advance<2>(point, 1, line.to);
    EXPECT_EQ(point.index, expected.index);
    EXPECT_EQ(point.offset, expected.offset);
  }
}

TEST(PointPlaces, AreUnknownWhereStridesDoNotDivideEachOther) {
  PointBlock block = block_of({4, 3, 2, 2}, {1, 1, 1, 1});
  PointPlaces places;
  ASSERT_TRUE(make_point_places(block, places));
  for (Index stride : {5, 7}) {
    block.loops[1].to = block.loops[1].from = block.loops[1].offset = stride;
    EXPECT_FALSE(make_point_places(block, places)) << stride;
  }
}

TEST(PointPlaces, AreUnknownWhereOffsetsOrInputsDiffer) {
  PointPlaces places;
  PointBlock block = block_of({4, 3, 2, 2}, {1, 1, 1, 1});
  block.loops[1].offset = 8;
  EXPECT_FALSE(make_point_places(block, places));
  block = block_of({4, 3, 2, 2}, {1, 1, 1, 1});
  block.loops[0].from = 2;
  EXPECT_FALSE(make_point_places(block, places));
}

TEST(PointPlaces, AreUnknownInArraysBeyondWhatDivisorsTake) {
  PointPlaces places;
  EXPECT_TRUE(make_point_places(block_of({1 << 20, 1 << 10, 1, 2}, {1, 1, 1, 1}), places));
  const std::uint32_t last = (std::uint32_t{1} << 31) - 1;
  const Point point = places.at(last);
  EXPECT_EQ(point.index, (Extents{5 + (1 << 10) - 1, 7, 7 + (1 << 20) - 1}));
  EXPECT_FALSE(make_point_places(block_of({1 << 20, 1 << 10, 1, 3}, {1, 1, 1, 1}), places));
  EXPECT_FALSE(make_point_places(block_of({2, 2, 1, 1}, {1, Index{1} << 32, 1, 1}), places));
  EXPECT_FALSE(make_point_places(block_of({2, 2, 2, 1}, {1, 1, Index{1} << 32, 1}), places));
}

}  // namespace
}  // namespace weft::test
