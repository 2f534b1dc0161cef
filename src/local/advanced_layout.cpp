#include "local/advanced_layout.hpp"

#include <algorithm>

#include "local/loops.hpp"

namespace weft {

namespace {

constexpr int most_axes = 3;

bool is_whole_fourier(const LocalProblem& problem) {
  for (int axis = 0; axis < problem.kinds.size(); ++axis) {
    const bool may_halve = axis == problem.kinds.size() - 1;
    if (problem.kinds[axis] != Kind::c2c && !(may_halve && problem.kinds[axis] == Kind::r2c)) {
      return false;
    }
  }
  return !problem.kinds.empty() && !is_pruned(problem);
}

/// Slowest first but for the halved axis, which is the last one. Axes of one point are left out:
/// nothing happens along them.
AxisList nesting_order(const LocalProblem& problem) {
  AxisList order;
  const int complex_axes = problem.transform.size() - (problem.real() ? 1 : 0);
  for (int axis = 0; axis < complex_axes; ++axis) {
    if (problem.transform[axis].length > 1) order.push_back(axis);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return problem.transform[a].in_stride > problem.transform[b].in_stride;
  });
  if (problem.real()) order.push_back(complex_axes);
  return order;
}

/// Of one of the sides, without a batch.
std::optional<AdvancedLayout::Side> nest(const LocalProblem& problem, const AxisList& order,
                                         bool input) {
  AdvancedLayout::Side side;
  if (order.empty()) {
    side.embed = {1};
    side.distance = 1;
    return side;
  }
  Index outer_stride = 0;
  for (int i = 0; i < order.size(); ++i) {
    const LocalAxis& axis = problem.transform[order[i]];
    const Index stride = input ? axis.in_stride : axis.out_stride;
    const Index points = whole_points(problem, order[i], input);
    if (stride <= 0) return std::nullopt;
    if (i == 0) {
      side.embed.push_back(points);
      side.distance = points * stride;
    } else {
      if (outer_stride % stride != 0 || outer_stride / stride < points) return std::nullopt;
      side.embed.push_back(outer_stride / stride);
    }
    outer_stride = stride;
  }
  side.stride = outer_stride;
  return side;
}

/// Moves a loop into the call; the longest one, unless another must not be a loop. False where
/// several must not.
bool choose_batch(const LocalProblem& problem, Axes<LocalAxis> loops, AdvancedLayout& layout) {
  const auto must_not_loop = [&](const LocalAxis& loop) {
    return (problem.real_input() && loop.in_stride % 2 != 0) ||
           (problem.real_output() && loop.out_stride % 2 != 0);
  };
  if (std::count_if(loops.begin(), loops.end(), must_not_loop) > 1) return false;
  const auto* const chosen =
      std::max_element(loops.begin(), loops.end(), [&](const LocalAxis& a, const LocalAxis& b) {
        if (must_not_loop(a) != must_not_loop(b)) return must_not_loop(b);
        return a.length < b.length;
      });
  for (const LocalAxis& loop : loops) {
    if (&loop != chosen) layout.loops.push_back({loop.length, {loop.in_stride, loop.out_stride}});
  }
  if (chosen != loops.end()) {
    layout.batch = chosen->length;
    layout.in.distance = chosen->in_stride;
    layout.out.distance = chosen->out_stride;
  }
  return true;
}

}  // namespace

Index AdvancedLayout::Side::axis_stride(int axis) const {
  Index result = stride;
  for (int i = axis + 1; i < embed.size(); ++i) result *= embed[i];
  return result;
}

Index AdvancedLayout::calls() const {
  Index result = 1;
  for (const auto& loop : loops) result *= loop.count;
  return result;
}

std::optional<AdvancedLayout> advanced_layout(const LocalProblem& problem) {
  if (!is_whole_fourier(problem)) return std::nullopt;
  const AxisList order = nesting_order(problem);
  if (order.size() > most_axes) return std::nullopt;
  const auto in = nest(problem, order, true), out = nest(problem, order, false);
  if (!in || !out) return std::nullopt;
  AdvancedLayout layout;
  layout.in = *in;
  layout.out = *out;
  for (int axis : order) layout.lengths.push_back(problem.transform[axis].length);
  if (order.empty()) layout.lengths = {1};
  if (!choose_batch(problem, merged_loops(problem.batch), layout)) return std::nullopt;
  return layout;
}

}  // namespace weft
