#pragma once

#include <memory>
#include <span>

#include "plan/field_pipeline.hpp"
#include "weft/trace.hpp"

namespace weft {

/// The trace of a plan, while one is recorded.
class Tracing {
 public:
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
  double begin_ = 0;  // of the trace, by the clock of this rank
  double uncertainty_ = 0;
};

}  // namespace weft
