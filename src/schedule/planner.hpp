#pragma once

#include "schedule/machine.hpp"
#include "schedule/problem.hpp"
#include "schedule/stage.hpp"
#include "weft/options.hpp"

namespace weft {

/// The forward schedule of one rank. A pure function: no MPI, and time and memory that grow with
/// the number of candidate layouts (and of listed boxes), not with the number of ranks.
///
/// Method: shortest path over states (set of transformed axes, distribution). From each
/// distribution every axis that is whole is transformed at once; an edge is a redistribution, its
/// length the predicted time. Candidate distributions are all assignments to axes of the factors of
/// the process grid: one factor (slab), two (pencil; near-square, and nodes x ranks of a node), and
/// those of the input and output layouts.
///
/// The machine's caches decide which whole axes are transformed together.
Schedule plan_schedule(const ResolvedProblem& problem, const Options& options,
                       const Machine& machine);

/// Into how many parts redistributions are best cut by the cost model: those that travel while
/// passes work. 1 unless that saves a twentieth.
Index predicted_chunks(const ResolvedProblem& problem, Options options, const Machine& machine);

}  // namespace weft
