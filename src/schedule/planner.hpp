#pragma once

#include "schedule/machine.hpp"
#include "schedule/problem.hpp"
#include "schedule/stage.hpp"
#include "weft/options.hpp"

namespace weft {

/// How much data is worked on at a time.
struct CacheSizes {
  /// With tiles of that size, blocks of several axes may fill eight of them: a second pass over
  /// memory costs more than what does not fit.
  CacheSizes(Index bytes_of_tile) : tile(bytes_of_tile), group(8 * bytes_of_tile) {}
  CacheSizes(Index bytes_of_tile, Index bytes_of_group)
      : tile(bytes_of_tile), group(bytes_of_group) {}

  Index tile;   ///< bytes of a tile, input and output together
  Index group;  ///< bytes, input and output, of a block whose axes are transformed together
};

/// The forward schedule of one rank. A pure function: no MPI, and time and memory that grow with
/// the number of candidate layouts (and of listed boxes), not with the number of ranks.
///
/// Method: shortest path over states (set of transformed axes, distribution). From each
/// distribution every axis that is whole is transformed at once; an edge is a redistribution, its
/// length the predicted time. Candidate distributions are all assignments to axes of the factors of
/// the process grid: one factor (slab), two (pencil), and those of the input and output layouts.
///
/// `caches` decide which whole axes are transformed together in cache.
Schedule plan_schedule(const Problem& problem, const Options& options, const CacheSizes& caches,
                       const Machine& machine = {});

}  // namespace weft
