#include "schedule/axis_groups.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft {

namespace {

/// Local FFT libraries offer transforms of up to three axes everywhere.
constexpr int max_local_axes = 3;

}  // namespace

Index bytes_transformed_together(const Options& options, const Machine& machine) {
  return options.device == "host" ? machine.caches.group : std::numeric_limits<Index>::max();
}

std::vector<AxisList> group_axes(AxisMask mask, const ResolvedProblem& problem,
                                 const AxisList& order, Index bytes_per_point, Index group_bytes) {
  const auto turn = [&](int axis) {
    const KindTraits& kind = traits(problem.kinds[axis]);
    const Index before = problem.shape[axis], after = problem.spectral[axis];
    const int growth = kind.real_to_complex || before == after ? 0 : after < before ? -1 : 1;
    return std::pair(kind.keeps_real ? 0 : kind.real_to_complex ? 1 : 2, growth);
  };
  AxisList sorted;
  for (int i = order.size() - 1; i >= 0; --i) {
    if (mask >> order[i] & 1) sorted.push_back(order[i]);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return turn(a) < turn(b); });
  std::vector<AxisList> groups;
  Index bytes = 0;
  for (int axis : sorted) {
    const Index points = std::max(problem.shape[axis], problem.spectral[axis]);
    const bool joins =
        !groups.empty() && groups.back().size() < max_local_axes && bytes <= group_bytes / points;
    if (joins) {
      groups.back().push_back(axis);
      bytes *= points;
    } else {
      groups.push_back({axis});
      bytes = points * bytes_per_point;
    }
  }
  return groups;
}

}  // namespace weft
