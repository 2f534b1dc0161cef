#pragma once

#include <vector>

#include "plan/code.hpp"
#include "trace/recorder.hpp"

namespace weft {

/// Records what the steps of a program do, each from where the one before has ended.
class StepRecorder {
 public:
  /// All of them outlive this.
  StepRecorder(const Code& code, Recorder& recorder, bool on_device);

  bool is_on() const { return recorder_.is_on(); }
  /// A run begins, with its next step.
  void begin() { begins_ = true; }
  /// The program goes on.
  void resume(double seconds);
  /// The next thing that is done belongs to this step.
  void enter(std::size_t step);
  /// What was done since resume, or the step before, was this one. By the host's clock.
  void leave(std::size_t step, double begin, double end);
  /// That was the last one.
  void finish();

 private:
  /// When what passes have to do has been done.
  Moment moment(double seconds) {
    return on_device_ ? recorder_.moment_of_passes() : Moment{seconds};
  }

  const Code& code_;
  Recorder& recorder_;
  bool on_device_;
  std::vector<TracedStep> steps_;
  std::vector<double> sent_;  // by redistribution: when its messages set out, by the host's clock
  bool begins_ = false;
  Moment begin_;  // of the run
  Moment last_;   // end of what has been recorded
};

}  // namespace weft
