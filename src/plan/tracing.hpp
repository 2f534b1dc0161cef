#pragma once

#include <memory>
#include <span>

#include "plan/field_pipeline.hpp"
#include "weft/trace.hpp"

namespace weft {

/// The trace of a plan, while one is recorded.
class Tracing {
 public:
  /// How far the clock of this rank is ahead of that of rank 0.
  struct ClockDifference {
    double seconds = 0;
    double uncertainty = 0;  ///< the largest of all ranks
  };
  bool is_on() const { return is_on_; }
  /// Both are collective, when nothing is under way. They throw Error on all ranks where a trace is
  /// recorded already, or none.
  void start(const Communicator& comm, std::span<const std::unique_ptr<FieldPipeline>> pipelines);
  Trace stop(const Communicator& comm, std::span<const std::unique_ptr<FieldPipeline>> pipelines);
  /// The plan is called once more.
  void next_call() { ++call_; }
  /// Number of that call.
  Index call() const { return call_; }

 private:
  bool is_on_ = false;
  Index call_ = -1;
  ClockDifference clock_;
  double begin_ = 0;  // by the clock of rank 0
};

/// Collective: by the shortest of several messages there and back between rank 0 and each other
/// rank, half of which is the uncertainty.
Tracing::ClockDifference find_clock_difference(const Communicator& comm);

}  // namespace weft
