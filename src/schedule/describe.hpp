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
/// "12.5 MiB"
std::string human_bytes(double bytes);
/// "1.25 ms"
std::string human_seconds(double seconds);

}  // namespace weft
