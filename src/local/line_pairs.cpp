#include "local/line_pairs.hpp"

#include <algorithm>

namespace weft {

namespace {

/// So many complex lines side by side make long enough rows for kernels.
constexpr std::uint32_t least_row = 16;

/// The loop whose first half goes with its second half: the slowest one of even length, so that
/// rows stay long, otherwise the longest one.
int paired_loop(const Axes<LocalAxis>& loops) {
  int longest = 0;
  for (int i = 0; i < loops.size(); ++i) {
    if (loops[i].length % 2 == 0) return i;
    if (loops[i].length > loops[longest].length) longest = i;
  }
  return longest;
}

}  // namespace

Lines real_lines(const LocalProblem& problem, Index points, bool joined) {
  Lines lines{problem.transform[0], problem.batch, !problem.real_data, joined, points};
  if (!lines.of_complex) return lines;
  const auto in_reals = [](LocalAxis& axis) {
    axis.in_stride *= 2;
    axis.out_stride *= 2;
  };
  in_reals(lines.line);
  for (LocalAxis& loop : lines.loops) in_reals(loop);
  return lines;
}

LinePairs line_pairs(const Lines& lines, const Axes<LocalAxis>& loops, bool input) {
  const auto stride = [input](const LocalAxis& axis) {
    return input ? axis.in_stride : axis.out_stride;
  };
  LinePairs pairs;
  pairs.number_step = stride(lines.line);
  Axes<LocalAxis> halved = loops;
  if (lines.of_complex) {
    pairs.second = 1;
  } else {
    // A single line is the first one of a pair.
    if (halved.empty()) halved.push_back({1, 0, 0});
    const int paired = paired_loop(halved);
    const Index length = halved[paired].length, half = (length + 1) / 2;
    halved[paired].length = half;
    pairs.second = half * stride(halved[paired]);
    if (length % 2 != 0) {
      pairs.odd_loop = static_cast<std::uint32_t>(paired);
      pairs.odd_place = static_cast<std::uint32_t>(half - 1);
    }
  }
  Index count = 1, inner = 1;
  bool inside = true;
  for (int i = halved.size() - 1; i >= 0; --i) {
    count *= halved[i].length;
    inside = inside && stride(halved[i]) < pairs.number_step;
    if (inside) inner = count;
    pairs.loop_step[i] = stride(halved[i]);
    pairs.loop[i] = make_divisor(static_cast<std::uint32_t>(halved[i].length));
  }
  pairs.loops = static_cast<std::uint32_t>(halved.size());
  pairs.count = static_cast<std::uint32_t>(count);
  pairs.inner = static_cast<std::uint32_t>(inner);
  pairs.complex_points = static_cast<std::uint32_t>(lines.points);
  const bool side_by_side = pairs.inner >= least_row && lines.points > 1;
  const Index complex_lines = lines.joined ? count : 2 * count;
  pairs.complex_step = side_by_side ? complex_lines : 1;
  pairs.complex_pair = side_by_side ? 1 : lines.points;
  pairs.complex_second = lines.joined ? 0 : count * pairs.complex_pair;
  return pairs;
}

}  // namespace weft
