#pragma once

#include <string>

#include "schedule/machine.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// One line for a stage as `rank` sees it: what, axes, layouts, peers, bytes, predicted time.
std::string describe(const Stage& stage, Direction direction, const ResolvedProblem& problem,
                     const Machine& machine);
/// The whole schedule, a line per stage below a heading.
std::string describe(const Schedule& schedule, const ResolvedProblem& problem,
                     const Machine& machine = {});

}  // namespace weft
