#pragma once

#include "local/line_plan.hpp"

namespace weft {

/// Transforms along two axes of an array larger than the cache of a device: a few planes at a time
/// take both passes, so that the second one finds in the cache what the first one has written.
/// Several streams overlap the end of one pass with the begin of another.
struct PlaneCut {
  int loop = -1;     ///< of the batch: its elements are planes; -1: the array is not cut
  Index planes = 0;  ///< at a time
  int streams = 1;
};

/// How a problem with two axes is cut.
PlaneCut plane_cut(const LineRunner& runner, const LocalProblem& problem);
/// make(part) makes the transform of some planes.
std::unique_ptr<LocalTransform> make_planes(
    const LocalProblem& problem, const PlaneCut& cut,
    std::unique_ptr<LocalTransform> (*make)(const LineRunner&, const LocalProblem&),
    const LineRunner& runner);

}  // namespace weft
