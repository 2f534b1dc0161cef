#include "trace/recorder.hpp"

#include <mpi.h>

#include <limits>

namespace weft {

void Recorder::start() {
  spans_.clear();
  used_events_ = 0;
  if (!on_host_) find_epoch();
  is_on_ = true;
}

/// An event that an idle stream comes to between two looks at the clock; the closest of several.
void Recorder::find_epoch() {
  constexpr int attempts = 16;
  compute_.synchronize();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < attempts; ++i) {
    auto event = compute_.device().make_event();
    const double before = MPI_Wtime();
    compute_.record(*event);
    event->synchronize();
    const double after = MPI_Wtime();
    if (after - before >= best) continue;
    best = after - before;
    epoch_ = std::move(event);
    epoch_seconds_ = before + best / 2;
  }
  uncertainty_ = best / 2;
}

std::vector<TraceSpan> Recorder::stop() {
  is_on_ = false;
  std::vector<TraceSpan> result;
  result.reserve(spans_.size());
  for (const Recorded& span : spans_) {
    const std::string name = span.step.name != nullptr              ? *span.step.name
                             : span.direction == Direction::forward ? "forward"
                                                                    : "backward";
    result.push_back({0, place_, span.lane, name, span.detail, span.direction, span.run, span.field,
                      span.step.chunk, seconds(span.begin), seconds(span.end)});
  }
  spans_.clear();
  return result;
}

void Recorder::begin_run(Direction direction, Index run, Index field) {
  direction_ = direction;
  run_ = run;
  field_ = field;
}

Moment Recorder::now() {
  return {MPI_Wtime(), -1};
}

Moment Recorder::moment(Stream& stream) {
  const std::lock_guard guard(mutex_);
  if (used_events_ == events_.size()) events_.push_back(compute_.device().make_event());
  stream.record(*events_[used_events_]);
  return {0, static_cast<std::ptrdiff_t>(used_events_++)};
}

void Recorder::add(TraceLane lane, const TracedStep& step, const char* detail, const Moment& begin,
                   const Moment& end) {
  const std::lock_guard guard(mutex_);
  spans_.push_back({lane, step, detail, direction_, run_, field_, begin, end});
}

double Recorder::seconds(const Moment& moment) const {
  if (moment.event < 0) return moment.seconds;
  const Event& event = *events_[static_cast<std::size_t>(moment.event)];
  return epoch_seconds_ + compute_.device().seconds_between(*epoch_, event);
}

}  // namespace weft
