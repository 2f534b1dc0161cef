#pragma once

#include <vector>

#include "schedule/machine.hpp"
#include "schedule/problem.hpp"
#include "schedule/step_memory.hpp"
#include "weft/options.hpp"

namespace weft {

/// What blocks whose axes are transformed in one pass have to fit into. The caches of a device are
/// its library's business.
CacheSizes caches_of_groups(const Options& options, const Machine& machine);

/// Divides axes transformed in one layout into groups whose lines fit in cache together. Kinds that
/// keep numbers real come first, as long as these are so, then the halved axis, then the others; of
/// those alike the ones that make the array smaller come first and those that make it larger last,
/// and otherwise the fastest in memory come first. Where lines lie side by side, so many that
/// memory is read in long enough runs have to fit into a tile together: in one pass over both axes,
/// 120x126x130 from pencils along axis 0 to pencils along axis 2 took 1.7 times as long.
std::vector<AxisList> group_axes(AxisMask mask, const ResolvedProblem& problem,
                                 const AxisList& order, Index bytes_per_point,
                                 const CacheSizes& caches);

}  // namespace weft
