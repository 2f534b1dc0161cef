#pragma once

#include <string>

#include "exchange/communicator.hpp"
#include "schedule/problem.hpp"
#include "weft/options.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Throws Error when an option is out of range or a name unknown.
void check_options(const Options& options, Precision precision);

/// Collective: checks the arguments of a plan on all ranks and against each other, replaces own
/// boxes by the list of all boxes, and resolves defaults.
ResolvedProblem resolve_collectively(const Problem& given, const Options& options,
                                     const Communicator& comm);

}  // namespace weft
