#include "program/step_times.hpp"

#include <mpi.h>

namespace weft {

StepTimes::StepTimes(const Program& program, FieldStreams& streams)
    : program_(program),
      recorder_(streams.recorder()),
      stream_(streams.compute()),
      timings_(program.stages),
      sent_(program.redistributions.size()) {
  if (on_host(stream_)) return;
  for (std::size_t i = 0; i <= program.steps.size(); ++i) {
    marks_.push_back(stream_.device().make_event());
  }
}

void StepTimes::begin() {
  for (StageTiming& timing : timings_) timing.seconds = 0;
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
  timings_[program_.steps[step].timing].seconds += end - last_;
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
    if (kind == Step::start) sent_[number] = last_moment_.seconds;
    if (kind == Step::finish) {
      recorder_.add(TraceLane::messages, what, "", {sent_[number]}, now);
    }
  }
  last_moment_ = now;
}

void StepTimes::finish() {
  has_run_ = true;
  if (recorder_.is_on()) recorder_.add(TraceLane::run, {}, "", run_begin_, last_moment_);
}

const std::vector<StageTiming>& StepTimes::timings() {
  if (marks_.empty() || !has_run_) return timings_;
  marks_.back()->synchronize();
  for (StageTiming& timing : timings_) timing.seconds = 0;
  for (std::size_t i = 0; i < program_.steps.size(); ++i) {
    timings_[program_.steps[i].timing].seconds +=
        stream_.device().seconds_between(*marks_[i], *marks_[i + 1]);
  }
  return timings_;
}

}  // namespace weft
