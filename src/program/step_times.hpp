#pragma once

#include <memory>
#include <vector>

#include "exchange/environment.hpp"
#include "program/program.hpp"
#include "trace/part_times.hpp"

namespace weft {

/// When the steps of a program are done: the seconds of its stages in the last run, and spans while
/// a trace is recorded, each from where the one before has ended. On the host by its clock, on a
/// device by events in the stream of passes.
class StepTimes {
 public:
  /// Both outlive it. With a breakdown it also tells the parts of steps.
  StepTimes(const Program& program, FieldStreams& streams, bool breakdown);

  /// A run begins, with its next step.
  void begin();
  /// The program goes on.
  void resume();
  /// The next thing that is done belongs to this step.
  void enter(std::size_t step);
  /// What was done since resume, or the step before, was this one.
  void leave(std::size_t step);
  /// A step has sent so much.
  void add_bytes(std::size_t step, Index bytes);
  /// That was the last one.
  void finish();
  /// Where a pass enters how long its parts take; null without a breakdown.
  PartTimes* parts_of(const Step& step) {
    return parts_.empty() || step.kind != Step::pass ? nullptr : &parts_[step.number];
  }

  /// On a device it waits for the end of the last run.
  const std::vector<StageTiming>& timings();

 private:
  void record(std::size_t step, double begin, double end);
  /// Shows the parts of a pass one after another, though they take turns from tile to tile.
  void record_parts(std::size_t step);
  TracedStep traced(const Step& step) const {
    return {&program_.stages[step.timing].name, step.chunk};
  }
  /// When what passes have to do has been done.
  Moment moment(double seconds) {
    return marks_.empty() ? Moment{seconds} : recorder_.moment_of_passes();
  }

  const Program& program_;
  Recorder& recorder_;
  Stream& stream_;
  std::vector<StageTiming> timings_;
  std::vector<double> seconds_;                // of each step, on the host
  std::vector<PartTimes> parts_;               // of each pass; none without a breakdown
  std::vector<std::unique_ptr<Event>> marks_;  // on a device: before the first step and after each
  std::vector<double> sent_;  // by redistribution: when its messages set out, by the host's clock
  double last_ = 0;           // end of the step before, by the host's clock
  bool begins_ = false;
  bool has_run_ = false;
  Moment run_begin_;
  Moment last_moment_;  // end of what has been recorded
};

}  // namespace weft
