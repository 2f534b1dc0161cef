#pragma once

#include <cstddef>
#include <memory>

#include "exchange/environment.hpp"
#include "exchange/shared_window.hpp"
#include "plan/staged_arrays.hpp"
#include "program/executor.hpp"
#include "redistribution/make_redistributions.hpp"

namespace weft {

/// What one field in flight needs: streams, redistributions and programs of both directions, which
/// never run at the same time, and what runs them. Different ones of a plan run at the same time.
class FieldPipeline {
 public:
  /// Makes the streams.
  FieldPipeline(const Context& context, std::size_t place);

  // --- while a plan is made, in this order; collective

  void make_redistributions(Context& context, const Schedule& forward, const Schedule& backward,
                            SharedWindow* window);
  /// When the window has been allocated.
  void bind();
  void make_programs(const Schedule& forward, const Schedule& backward);

  // --- when it is complete

  const Redistributions& redistributions(Direction direction) const {
    return of(direction).redistributions;
  }
  const Program& program(Direction direction) const { return of(direction).program; }
  std::size_t place() const { return place_; }  ///< among those of the plan
  std::size_t workspace_bytes() const;
  FieldStreams& streams() { return streams_; }

  /// Makes room for copies of arrays of the host, and of the input where functions change it.
  /// Throws Error where there is none. Nothing is under way.
  void reserve_copies(const RunArrays& arrays, const detail::PointFunction& on_input);
  void begin(const RunArrays& arrays, std::byte* workspace, Callbacks callbacks);
  /// Of what was begun.
  Executor& executor() { return executor_; }
  /// What is left to do on a device when its program has run.
  void complete();
  /// Of the steps of the last run, or of the first one to come.
  const std::vector<StageTiming>& timings() { return of(last_).times->timings(); }
  Direction last() const { return last_; }

  bool is_busy = false;   ///< with one of many fields
  std::size_t field = 0;  ///< which

 private:
  struct OneWay {
    Redistributions redistributions;
    Program program;
    std::unique_ptr<StepTimes> times;
  };
  const OneWay& of(Direction direction) const { return ways_[direction == Direction::backward]; }
  OneWay& of(Direction direction) { return ways_[direction == Direction::backward]; }

  const Context& context_;
  std::size_t place_;
  FieldStreams streams_;
  Executor executor_;
  OneWay ways_[2];
  Direction last_ = Direction::forward;
  StagedArrays staged_;
};

}  // namespace weft
