#pragma once

#include <optional>
#include <vector>

#include "schedule/machine.hpp"
#include "schedule/path.hpp"
#include "schedule/problem.hpp"
#include "weft/options.hpp"

namespace weft {

/// The distribution for an array of another shape: rules apply to any shape; listed boxes only
/// where the length that differs (the halved axis) is whole, and is then adapted.
std::optional<Distribution> at_shape(const Distribution& distribution, const Extents& from,
                                     const Extents& to);

/// The way from the input to the output layout that takes least time by the cost model, see
/// plan_schedule.
std::vector<PathStep> shortest_path(const ResolvedProblem& problem, const Options& options,
                                    const Machine& machine);

}  // namespace weft
