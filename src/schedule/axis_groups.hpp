#pragma once

#include <vector>

#include "schedule/machine.hpp"
#include "schedule/problem.hpp"
#include "schedule/step_memory.hpp"
#include "weft/options.hpp"

namespace weft {

/// Bytes of a block whose axes are transformed in one pass. The caches of a device are its
/// library's business.
Index bytes_transformed_together(const Options& options, const Machine& machine);

/// Divides axes transformed in one layout into groups whose lines fit in cache together. Kinds that
/// keep numbers real come first, as long as these are so, then the halved axis, then the others; of
/// those alike the ones that make the array smaller come first and those that make it larger last,
/// and otherwise the fastest in memory come first.
std::vector<AxisList> group_axes(AxisMask mask, const ResolvedProblem& problem,
                                 const AxisList& order, Index bytes_per_point, Index group_bytes);

}  // namespace weft
