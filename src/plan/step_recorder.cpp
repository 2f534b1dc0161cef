#include "plan/step_recorder.hpp"

#include <map>

namespace weft {

StepRecorder::StepRecorder(const Code& code, Recorder& recorder, bool on_device)
    : code_(code), recorder_(recorder), on_device_(on_device), sent_(code.redistributions.size()) {
  // Passes of a stage are its chunks, one after another, and so are the starts of an exchange.
  std::map<std::size_t, Index> passes, starts;  // by timing: how many there were
  std::map<std::size_t, Index> chunk_of;        // by redistribution
  for (const Step& step : code.steps) {
    Index chunk = 0;
    if (std::holds_alternative<PassStep>(step.what)) {
      chunk = passes[step.timing]++;
    } else if (const auto* start = std::get_if<StartStep>(&step.what)) {
      chunk = chunk_of[start->redistribution] = starts[step.timing]++;
    } else {
      chunk = chunk_of[std::get<FinishStep>(step.what).redistribution];
    }
    steps_.push_back({&code.timings[step.timing].name, chunk});
  }
}

void StepRecorder::resume(double seconds) {
  if (!is_on()) return;
  last_ = moment(seconds);
  if (begins_) begin_ = last_;
  begins_ = false;
}

void StepRecorder::enter(std::size_t step) {
  if (is_on()) recorder_.enter(steps_[step]);
}

void StepRecorder::leave(std::size_t step, double begin, double end) {
  if (!is_on()) return;
  const TracedStep& traced = steps_[step];
  const auto* start = std::get_if<StartStep>(&code_.steps[step].what);
  const auto* finish = std::get_if<FinishStep>(&code_.steps[step].what);
  const Moment now = moment(end);
  const TraceLane lane = finish != nullptr  ? TraceLane::wait
                         : start != nullptr ? TraceLane::send
                                            : TraceLane::compute;
  if (on_device_) {
    const char* const what = finish != nullptr ? "finish" : start != nullptr ? "start" : "";
    recorder_.add(TraceLane::host, traced, what, {begin}, {end});
    // Exchanges record what they put into streams of their own.
    if (start == nullptr) recorder_.add(lane, traced, "", last_, now);
  } else {
    recorder_.add(lane, traced, "", last_, now);
    if (start != nullptr) sent_[start->redistribution] = last_.seconds;
    if (finish != nullptr) {
      recorder_.add(TraceLane::messages, traced, "", {sent_[finish->redistribution]}, now);
    }
  }
  last_ = now;
}

void StepRecorder::finish() {
  if (is_on()) recorder_.add(TraceLane::run, {}, "", begin_, last_);
}

}  // namespace weft
