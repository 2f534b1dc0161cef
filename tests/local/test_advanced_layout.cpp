// What of a local problem one call of a library with cuFFT's advanced layout can do.
#include "local/advanced_layout.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/local_run.hpp"

namespace weft {
namespace {

/// Input and output lie alike.
LocalAxis both(Index length, Index stride) {
  return {length, stride, stride};
}

LocalProblem problem_of(const Axes<LocalAxis>& transform, const Axes<LocalAxis>& batch,
                        Kind last = c2c) {
  LocalProblem problem;
  problem.transform = transform;
  problem.kinds = Axes<Kind>::filled(transform.size(), c2c);
  problem.kinds[transform.size() - 1] = last;
  problem.batch = batch;
  return problem;
}

void expect_side(const AdvancedLayout::Side& side, const Extents& embed, Index stride,
                 Index distance) {
  EXPECT_EQ(side.embed, embed);
  EXPECT_EQ(side.stride, stride);
  EXPECT_EQ(side.distance, distance);
}

TEST(AdvancedLayout, ContiguousLines) {
  const auto layout = advanced_layout(problem_of({both(5, 1)}, {both(4, 15), both(3, 5)}));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->lengths, Extents({5}));
  EXPECT_EQ(layout->batch, 12);
  expect_side(layout->in, {5}, 1, 5);
  EXPECT_EQ(layout->calls(), 1);
}

TEST(AdvancedLayout, LinesAlongTheSlowestAxis) {
  const auto layout = advanced_layout(problem_of({both(4, 15)}, {both(3, 5), both(5, 1)}));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->batch, 15);
  expect_side(layout->in, {4}, 15, 1);
  expect_side(layout->out, {4}, 15, 1);
  EXPECT_EQ(layout->calls(), 1);
}

TEST(AdvancedLayout, LinesAlongTheMiddleAxisNeedALoop) {
  const auto layout = advanced_layout(problem_of({both(3, 5)}, {both(4, 15), both(5, 1)}));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->batch, 5);
  expect_side(layout->in, {3}, 5, 1);
  ASSERT_EQ(layout->loops.size(), 1);
  EXPECT_EQ(layout->calls(), 4);
  std::set<std::pair<Index, Index>> offsets;
  for (Cursor<2> call(layout->loops); !call.is_end(); call.advance()) {
    offsets.insert({call[0], call[1]});
  }
  EXPECT_EQ(offsets, (std::set<std::pair<Index, Index>>{{0, 0}, {15, 15}, {30, 30}, {45, 45}}));
}

TEST(AdvancedLayout, LoopsOfLoops) {
  const auto layout =
      advanced_layout(problem_of({both(2, 1)}, {{3, 100, 7}, {4, 10, 30}, {5, 2, 300}}));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->batch, 5);
  EXPECT_EQ(layout->calls(), 12);
  std::set<std::pair<Index, Index>> offsets, expected;
  for (Cursor<2> call(layout->loops); !call.is_end(); call.advance()) {
    offsets.insert({call[0], call[1]});
  }
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 4; ++j) expected.insert({100 * i + 10 * j, 7 * i + 30 * j});
  }
  EXPECT_EQ(offsets, expected);
}

TEST(AdvancedLayout, PlanesOfAnArray) {
  // 4 x 3 x 5 points: each pair of axes, in either order.
  const LocalAxis x = both(4, 15), y = both(3, 5), z = both(5, 1);
  const auto last_two = advanced_layout(problem_of({y, z}, {x}));
  ASSERT_TRUE(last_two);
  EXPECT_EQ(last_two->lengths, Extents({3, 5}));
  EXPECT_EQ(last_two->batch, 4);
  expect_side(last_two->in, {3, 5}, 1, 15);
  const auto first_two = advanced_layout(problem_of({y, x}, {z}));
  ASSERT_TRUE(first_two);
  EXPECT_EQ(first_two->lengths, Extents({4, 3}));
  expect_side(first_two->in, {4, 3}, 5, 1);
  const auto apart = advanced_layout(problem_of({x, z}, {y}));
  ASSERT_TRUE(apart);
  expect_side(apart->in, {4, 15}, 1, 5);
  EXPECT_EQ(apart->in.axis_stride(0), 15);
  EXPECT_EQ(apart->in.axis_stride(1), 1);
}

TEST(AdvancedLayout, SidesOfDifferentPadding) {
  const auto layout = advanced_layout(problem_of({{4, 7, 100}, {5, 1, 2}}, {{3, 28, 1}}));
  ASSERT_TRUE(layout);
  expect_side(layout->in, {4, 7}, 1, 28);
  expect_side(layout->out, {4, 50}, 2, 1);
}

TEST(AdvancedLayout, PaddedRealLines) {
  // Real lines of 6 points in place of their 4 coefficients.
  LocalProblem problem = problem_of({{3, 8, 4}, {6, 1, 1}}, {{2, 24, 12}}, r2c);
  const auto forward = advanced_layout(problem);
  ASSERT_TRUE(forward);
  EXPECT_EQ(forward->lengths, Extents({3, 6}));
  expect_side(forward->in, {3, 8}, 1, 24);
  expect_side(forward->out, {3, 4}, 1, 12);
  for (LocalAxis& axis : problem.transform) std::swap(axis.in_stride, axis.out_stride);
  for (LocalAxis& axis : problem.batch) std::swap(axis.in_stride, axis.out_stride);
  problem.direction = Direction::backward;
  const auto backward = advanced_layout(problem);
  ASSERT_TRUE(backward);
  expect_side(backward->in, {3, 4}, 1, 12);
  expect_side(backward->out, {3, 8}, 1, 24);
}

TEST(AdvancedLayout, HalvedAxisMustBeTheFastest) {
  EXPECT_TRUE(advanced_layout(problem_of({{3, 6, 4}, {6, 1, 1}}, {}, r2c)));
  EXPECT_FALSE(advanced_layout(problem_of({{3, 1, 1}, {6, 3, 3}}, {}, r2c)));
  // 3 coefficients do not hold what 4 are needed for.
  EXPECT_FALSE(advanced_layout(problem_of({{3, 6, 3}, {6, 1, 1}}, {}, r2c)));
}

TEST(AdvancedLayout, CallsBeginAtEvenRealNumbers) {
  const auto along_middle = [](Index x, Index x_stride) {
    return problem_of({{6, 5, 5}}, {{x, x_stride, 20}, {5, 1, 1}}, r2c);
  };
  const auto even = advanced_layout(along_middle(8, 30));
  ASSERT_TRUE(even);
  EXPECT_EQ(even->batch, 5) << "the loop that begins at odd numbers";
  EXPECT_EQ(even->calls(), 8);
  EXPECT_FALSE(advanced_layout(along_middle(8, 31)));
}

TEST(AdvancedLayout, AxesOfOnePointVanish) {
  const auto layout = advanced_layout(
      problem_of({both(1, 77), both(3, 5), both(1, 2), both(5, 1)}, {both(1, 3), both(4, 15)}));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->lengths, Extents({3, 5}));
  EXPECT_EQ(layout->batch, 4);
  const auto points = advanced_layout(problem_of({both(1, 9)}, {both(6, 2)}));
  ASSERT_TRUE(points);
  EXPECT_EQ(points->lengths, Extents({1}));
  EXPECT_EQ(points->batch, 6);
  const auto halved = advanced_layout(problem_of({both(1, 1)}, {both(6, 1)}, r2c));
  ASSERT_TRUE(halved);
  EXPECT_EQ(halved->lengths, Extents({1}));
}

TEST(AdvancedLayout, WhatDoesNotNest) {
  EXPECT_FALSE(advanced_layout(problem_of({both(3, 7), both(3, 2)}, {}))) << "no multiple";
  EXPECT_FALSE(advanced_layout(problem_of({both(3, 4), both(5, 1)}, {}))) << "interleaved";
  EXPECT_FALSE(advanced_layout(problem_of({{3, 5, 1}, {5, 1, 3}}, {}))) << "transposed";
  EXPECT_FALSE(advanced_layout(problem_of({both(2, 24), both(2, 12), both(2, 6), both(6, 1)}, {})))
      << "four axes";
}

TEST(AdvancedLayout, OtherKindsAndPrunedAxes) {
  EXPECT_FALSE(advanced_layout(problem_of({both(4, 1)}, {}, Kind::dct2)));
  EXPECT_FALSE(advanced_layout(problem_of({{4, 1, 1, 3, 0}}, {})));
  EXPECT_FALSE(advanced_layout(problem_of({{4, 1, 1, 0, 3}}, {})));
  EXPECT_TRUE(advanced_layout(problem_of({{4, 1, 1, 4, 4}}, {})));
}

}  // namespace
}  // namespace weft
