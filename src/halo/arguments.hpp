#pragma once

#include "exchange/communicator.hpp"
#include "geometry/halo_parts.hpp"
#include "schedule/problem.hpp"
#include "weft/halo.hpp"

namespace weft {

/// A checked HaloProblem with every default filled in, as one rank sees it.
struct ResolvedHalo {
  ResolvedProblem problem;  ///< one that transforms nothing: its input is the array
  HaloWidths widths;        ///< a batch is an axis of no width
  AxisList order;    ///< of the elements in a message, slowest axis first; the same on all ranks
  LocalArray array;  ///< without the axis of the batch
};

/// Collective: checks the arguments of a Halo on all ranks and against each other.
ResolvedHalo resolve_collectively(const HaloProblem& given, const Communicator& comm);

}  // namespace weft
