// Which lines go together in cosine and sine transforms on devices, and how complex lines lie: so
// that neighboring threads have neighboring numbers.
#include <gtest/gtest.h>

#include "local/line_tables.hpp"

namespace weft {
namespace {

/// The line and the loops over lines of an axis of a dense array.
Lines lines_along(int axis, const Extents& shape, bool real_data = true) {
  LocalProblem problem;
  problem.real_data = real_data;
  Index stride = 1;
  for (int i = shape.size() - 1; i >= 0; --i) {
    const LocalAxis given{shape[i], stride, stride};
    (i == axis ? problem.transform : problem.batch).push_back(given);
    stride *= shape[i];
  }
  Lines lines = real_lines(problem, shape[axis], true);
  lines.loops = merged_loops(lines.loops);
  return lines;
}

LinePairs pairs_along(int axis, const Extents& shape, bool real_data = true) {
  const Lines lines = lines_along(axis, shape, real_data);
  return line_pairs(lines, lines.loops, true);
}

TEST(LinePairs, ContiguousLinesStayContiguous) {
  const LinePairs pairs = pairs_along(2, {20, 30, 40});
  EXPECT_EQ(pairs.count, 300U);
  EXPECT_EQ(pairs.inner, 1U);
  EXPECT_EQ(pairs.number_step, 1);
  EXPECT_EQ(pairs.second, 300 * 40);
  EXPECT_EQ(pairs.complex_step, 1);
  EXPECT_EQ(pairs.complex_pair, 40);
}

TEST(LinePairs, LinesSideBySideStaySideBySide) {
  const LinePairs first = pairs_along(0, {20, 30, 40});
  EXPECT_EQ(first.count, 600U);
  EXPECT_EQ(first.inner, 600U);
  EXPECT_EQ(first.second, 600);
  EXPECT_EQ(first.complex_step, 600);
  EXPECT_EQ(first.complex_pair, 1);
  const LinePairs middle = pairs_along(1, {20, 30, 40});
  EXPECT_EQ(middle.count, 400U);
  EXPECT_EQ(middle.inner, 40U);
  EXPECT_EQ(middle.second, 10 * 30 * 40);
  EXPECT_EQ(middle.complex_step, 400);
}

TEST(LinePairs, ShortRowsBecomeContiguousLines) {
  const LinePairs pairs = pairs_along(0, {20, 30, 3});
  EXPECT_EQ(pairs.complex_step, 45);
  const LinePairs short_rows = pairs_along(1, {20, 30, 3});
  EXPECT_EQ(short_rows.inner, 3U);
  EXPECT_EQ(short_rows.complex_step, 1);
}

TEST(LinePairs, ALoopOfEvenLengthLeavesNoLineAlone) {
  const LinePairs even = pairs_along(1, {21, 30, 2});
  EXPECT_EQ(even.count, 21U);
  EXPECT_EQ(even.odd_loop, std::uint32_t{LinePairs::max_loops});
  EXPECT_EQ(even.second, 1);
  const LinePairs odd = pairs_along(1, {21, 30, 3});
  EXPECT_EQ(odd.count, 33U);
  EXPECT_EQ(odd.odd_loop, 0U);
  EXPECT_EQ(odd.odd_place, 10U);
  const LinePairs single = pairs_along(0, {30});
  EXPECT_EQ(single.count, 1U);
  EXPECT_EQ(single.odd_loop, 0U);
  EXPECT_EQ(single.odd_place, 0U);
}

TEST(LinePairs, ComplexNumbersAreTheirOwnPairs) {
  const LinePairs pairs = pairs_along(2, {20, 30, 40}, false);
  EXPECT_EQ(pairs.count, 600U);
  EXPECT_EQ(pairs.number_step, 2);
  EXPECT_EQ(pairs.second, 1);
}

}  // namespace
}  // namespace weft
