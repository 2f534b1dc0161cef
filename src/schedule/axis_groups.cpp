#include "schedule/axis_groups.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft {

namespace {

/// Local FFT libraries offer transforms of up to three axes everywhere.
constexpr int max_local_axes = 3;
/// Two cache lines, which many processors fetch together. In shorter runs a pass over two axes
/// takes longer than one over each.
constexpr Index least_run_bytes = 128;

}  // namespace

CacheSizes caches_of_groups(const Options& options, const Machine& machine) {
  constexpr Index unlimited = std::numeric_limits<Index>::max();
  return options.device == "host" ? machine.caches : CacheSizes(unlimited, unlimited);
}

std::vector<AxisList> group_axes(AxisMask mask, const ResolvedProblem& problem,
                                 const AxisList& order, Index bytes_per_point,
                                 const CacheSizes& caches) {
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
  const auto lines_beside = [&](int axis) {
    Index lines = 1;
    for (int i = order.size() - 1; order[i] != axis; --i) lines *= problem.shape[order[i]];
    return lines;
  };
  const Index run = least_run_bytes / (bytes_per_point / 2);
  std::vector<AxisList> groups;
  Index bytes = 0;   // of a block of the group
  Index beside = 0;  // how many of these lie side by side
  for (int axis : sorted) {
    const Index points = std::max(problem.shape[axis], problem.spectral[axis]);
    const Index together = std::min(beside, lines_beside(axis));
    const Index limit =
        together > run ? caches.tile / run : caches.group / std::max<Index>(together, 1);
    const bool joins =
        !groups.empty() && groups.back().size() < max_local_axes && bytes <= limit / points;
    if (joins) {
      groups.back().push_back(axis);
      bytes *= points;
      beside = together;
    } else {
      groups.push_back({axis});
      bytes = points * bytes_per_point;
      beside = lines_beside(axis);
    }
  }
  return groups;
}

}  // namespace weft
