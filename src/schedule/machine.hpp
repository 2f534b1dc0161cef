#pragma once

#include "schedule/stage.hpp"

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

/// What the cost model knows of a machine, for one rank when all ranks are busy.
struct Machine {
  double memory_bandwidth = 8e9;    ///< bytes read plus bytes written per second
  double exchange_bandwidth = 2e9;  ///< bytes sent per second
  double message_latency = 2e-6;    ///< seconds per message
  double flops = 4e9;               ///< floating-point operations per second of the local FFT
  CacheSizes caches = 1 << 20;
};

/// Predicted seconds of a stage on the rank that has most to do. The same for every caller.
double predicted_seconds(const Stage& stage, Precision precision, const Machine& machine);
/// The same of all stages.
double predicted_seconds(const Schedule& schedule, Precision precision, const Machine& machine);

/// Seconds to move `bytes` of the busiest rank as `peers` messages, packing included.
double redistribution_seconds(double bytes, double peers, const Machine& machine);
/// Number of messages that rank 0 sends.
double message_count(const Distribution& before, const Distribution& after, const Extents& shape);

}  // namespace weft
