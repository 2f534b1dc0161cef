#include "c/plan_info.hpp"

#include <algorithm>

#include "c/convert.hpp"

namespace weft::c {

ToldInfo::ToldInfo(const PlanInfo& info) : text(to_string(info)) {
  for (const PlanChoice& choice : info.choices) {
    choices.push_back({choice.option.c_str(), choice.value.c_str(), choice.why.c_str()});
  }
  for (const PlanTrial& trial : info.trials) {
    trials.push_back({trial.settings.c_str(), trial.predicted_seconds, trial.seconds, trial.share,
                      trial.remark.c_str(), trial.chosen ? 1 : 0});
  }
  of_c.axes = info.shape.size();
  std::copy(info.shape.begin(), info.shape.end(), of_c.shape);
  std::transform(info.kinds.begin(), info.kinds.end(), of_c.kinds,
                 [](Kind kind) { return static_cast<int>(kind); });
  std::copy(info.input_points.begin(), info.input_points.end(), of_c.input_points);
  std::copy(info.modes.begin(), info.modes.end(), of_c.modes);
  of_c.norm = static_cast<int>(info.norm);
  of_c.orthogonal = info.orthogonal ? 1 : 0;
  of_c.batch = info.batch;
  of_c.input = local_array_of(info.input);
  of_c.output = local_array_of(info.output);
  of_c.exchange = info.exchange.c_str();
  of_c.local = info.local.c_str();
  of_c.device = info.device.c_str();
  of_c.device_number = info.device_number;
  of_c.threads = info.threads;
  of_c.chunks = info.chunks;
  of_c.receive_chunks = info.receive_chunks;
  of_c.choice_count = choices.size();
  of_c.choices = choices.data();
  of_c.workspace_bytes = info.workspace_bytes;
  of_c.shared_bytes = info.shared_bytes;
  of_c.bytes_sent = info.bytes_sent;
  of_c.predicted_seconds = info.predicted_seconds;
  of_c.text = text.c_str();
  of_c.trial_count = trials.size();
  of_c.trials = trials.data();
}

}  // namespace weft::c
