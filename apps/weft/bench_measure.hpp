#pragma once

#include <vector>

#include "bench_arrays.hpp"
#include "bench_report.hpp"
#include "progress.hpp"

namespace weft {

/// Collective. The maximum over all ranks, of each value.
void reduce_max(const Communicator& comm, std::vector<double>& values);
Index largest_of(const Communicator& comm, Index value);

/// Collective. Times of forward and backward, and of their steps, after a run of each that warms
/// caches and connections.
void measure(const Communicator& comm, Plan& plan, const BenchArrays& arrays, int repeat,
             BenchFigures& figures, Progress& progress);

}  // namespace weft
