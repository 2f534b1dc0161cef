#pragma once

#include "schedule/stage.hpp"

namespace weft {

/// What the cost model knows of a machine, for one rank when all ranks are busy.
struct Machine {
  double memory_bandwidth = 8e9;    ///< bytes read plus bytes written per second
  double exchange_bandwidth = 2e9;  ///< bytes sent per second
  double message_latency = 2e-6;    ///< seconds per message
  double flops = 4e9;               ///< floating-point operations per second of the local FFT
};

/// Predicted seconds of a stage on the rank that has most to do. The same for every caller.
double predicted_seconds(const Stage& stage, Precision precision, const Machine& machine);

/// Seconds to move `bytes` of the busiest rank as `peers` messages, packing included.
double redistribution_seconds(double bytes, double peers, const Machine& machine);
/// Number of messages that rank 0 sends.
double message_count(const Distribution& before, const Distribution& after, const Extents& shape);

}  // namespace weft
