#include "program/step_times.hpp"

#include <mpi.h>

#include <algorithm>

namespace weft {

StepTimes::StepTimes(const Program& program, FieldStreams& streams, bool breakdown)
    : program_(program),
      recorder_(streams.recorder()),
      stream_(streams.compute()),
      timings_(program.stages),
      seconds_(program.steps.size()),
      sent_(program.redistributions.size()) {
  for (std::size_t i = 0; breakdown && i < program.passes.size(); ++i) parts_.emplace_back(stream_);
  if (on_host(stream_)) return;
  for (std::size_t i = 0; i <= program.steps.size(); ++i) {
    marks_.push_back(stream_.device().make_event());
  }
}

void StepTimes::begin() {
  std::fill(seconds_.begin(), seconds_.end(), 0);
  for (PartTimes& parts : parts_) parts.begin();
  for (const Step& step : program_.steps) {
    if (step.kind == Step::finish) timings_[step.timing].bytes = 0;
  }
  begins_ = true;
  has_run_ = false;
  if (!marks_.empty()) stream_.record(*marks_[0]);
}

void StepTimes::resume() {
  last_ = MPI_Wtime();
  if (!recorder_.is_on()) return;
  last_moment_ = moment(last_);
  if (begins_) run_begin_ = last_moment_;
  begins_ = false;
}

void StepTimes::enter(std::size_t step) {
  if (recorder_.is_on()) recorder_.enter(traced(program_.steps[step]));
}

void StepTimes::leave(std::size_t step) {
  const double end = MPI_Wtime();
  seconds_[step] += end - last_;
  if (recorder_.is_on()) record(step, last_, end);
  last_ = end;
  if (!marks_.empty()) stream_.record(*marks_[step + 1]);
}

void StepTimes::add_bytes(std::size_t step, Index bytes) {
  timings_[program_.steps[step].timing].bytes += bytes;
}

void StepTimes::record(std::size_t step, double begin, double end) {
  const TracedStep what = traced(program_.steps[step]);
  const Step::Kind kind = program_.steps[step].kind;
  const std::size_t number = program_.steps[step].number;
  const Moment now = moment(end);
  const TraceLane lane = kind == Step::finish  ? TraceLane::wait
                         : kind == Step::start ? TraceLane::send
                                               : TraceLane::compute;
  if (!marks_.empty()) {
    const char* const call = kind == Step::finish ? "finish" : kind == Step::start ? "start" : "";
    recorder_.add(TraceLane::host, what, call, {begin}, {end});
    // Exchanges record what they put into streams of their own.
    if (kind != Step::start) recorder_.add(lane, what, "", last_moment_, now);
  } else {
    recorder_.add(lane, what, "", last_moment_, now);
    if (kind == Step::pass) record_parts(step);
    if (kind == Step::start) sent_[number] = last_moment_.seconds;
    if (kind == Step::finish) {
      recorder_.add(TraceLane::messages, what, "", {sent_[number]}, now);
    }
  }
  last_moment_ = now;
}

void StepTimes::record_parts(std::size_t step) {
  const PartTimes* const parts = parts_of(program_.steps[step]);
  if (parts == nullptr) return;
  const StageParts seconds = parts->seconds();
  Moment begin = last_moment_;
  for (const auto& [name, part] : stage_parts) {
    if (seconds.*part == 0) continue;
    const Moment end{begin.seconds + seconds.*part};
    recorder_.add(TraceLane::compute, traced(program_.steps[step]), name, begin, end);
    begin = end;
  }
}

void StepTimes::finish() {
  has_run_ = true;
  if (recorder_.is_on()) recorder_.add(TraceLane::run, {}, "", run_begin_, last_moment_);
}

const std::vector<StageTiming>& StepTimes::timings() {
  const bool on_device = !marks_.empty();
  if (on_device && has_run_) marks_.back()->synchronize();
  for (StageTiming& timing : timings_) {
    timing.seconds = 0;
    timing.parts = {};
  }
  for (std::size_t i = 0; i < program_.steps.size() && (has_run_ || !on_device); ++i) {
    const Step& step = program_.steps[i];
    const double seconds =
        on_device ? stream_.device().seconds_between(*marks_[i], *marks_[i + 1]) : seconds_[i];
    StageTiming& timing = timings_[step.timing];
    timing.seconds += seconds;
    if (parts_.empty()) continue;
    if (step.kind == Step::start) timing.parts.exchange += seconds;
    if (step.kind == Step::finish) timing.parts.wait += seconds;
    if (step.kind == Step::pass) add_parts(timing.parts, parts_[step.number].seconds());
  }
  return timings_;
}

}  // namespace weft
