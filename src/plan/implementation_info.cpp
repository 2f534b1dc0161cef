#include <algorithm>
#include <sstream>

#include "device/cpu.hpp"
#include "geometry/human_units.hpp"
#include "plan/choose.hpp"
#include "plan/implementation.hpp"
#include "schedule/path.hpp"

namespace weft {

namespace {

/// Parts of any redistribution, on one side.
Index most_parts(const Schedule& schedule, Cut Chunking::*side) {
  Index most = 1;
  for (const Stage& stage : schedule.stages) {
    const auto* move = std::get_if<RedistributeStage>(&stage);
    if (move != nullptr) most = std::max(most, (move->chunking.*side).count);
  }
  return most;
}

std::string why_exchange(const Context& context) {
  if (!context.on_host()) {
    return context.one_machine ? "all ranks are on one machine" : "ranks are on several machines";
  }
  if (context.exchange.method->traits.window == ExchangeTraits::node) return "ranks share a node";
  if (context.machine.ranks_per_node == 1) return "ranks are on nodes of their own";
  return compresses(context.options) ? "messages are compressed"
                                     : "no memory that ranks of a node can share";
}

}  // namespace

void Plan::Implementation::tell_arrays(const Problem& given) {
  const ResolvedProblem& problem = context->problem;
  info.shape = given.shape;
  info.kinds = given.kinds.resolve(given.shape.size());
  info.input_points = given.input_points.empty() ? given.shape : given.input_points;
  info.modes = given.modes.empty() ? given.shape : given.modes;
  info.norm = problem.norm;
  info.orthogonal = problem.orthogonal;
  info.batch = problem.batch;
  info.input = user_array(problem, problem.input, problem.shape, problem.complex_input());
  info.output = user_array(problem, problem.output, problem.spectral, problem.complex_output());
}

void Plan::Implementation::tell_choices() {
  info.exchange = context->exchange.name();
  info.local = context->backend->name;
  info.device = context->backend->device;
  info.device_number = context->device_number;
  info.threads = context->threads;
  info.chunks = most_parts(schedule, &Chunking::sender);
  info.receive_chunks = most_parts(schedule, &Chunking::receiver);
  info.workspace_bytes = pipelines.size() * pipelines.front()->workspace_bytes();
  info.shared_bytes = window ? static_cast<std::size_t>(window->bytes()) : 0;
  for (const auto& chunks : pipelines.front()->redistributions(Direction::forward)) {
    for (const auto& chunk : chunks) info.bytes_sent += chunk->bytes_sent();
  }
  info.predicted_seconds =
      predicted_seconds(schedule, context->problem.precision, context->machine);

  info.choices = context->choices;
  const auto tell = [&](const std::string& option, const std::string& value,
                        const std::string& why) {
    for (PlanChoice& choice : info.choices) {
      if (choice.option != option) continue;
      choice.value = value;
      if (choice.why == "default") choice.why = why;
    }
  };
  const std::string caches = "by the caches of this machine";
  tell("exchange", info.exchange, why_exchange(*context));
  tell("local", info.local, "the first that is here and suits this processor");
  tell("device_number", std::to_string(info.device_number),
       context->on_host() ? "there is no device" : "by the rank's number on its node");
  tell("threads", std::to_string(info.threads),
       threads_of_environment() > 0 ? "OMP_NUM_THREADS" : "cores divided by ranks on this node");
  tell("tile_bytes", std::to_string(context->tile_bytes()), caches);
  if (context->on_host()) tell("stream_bytes", std::to_string(context->stream_bytes), caches);
  tell("chunks", std::to_string(info.chunks),
       context->on_host() ? info.chunks > 1 ? "by the cost model" : "default"
                          : "by the size of the array and the number of ranks");
  for (PlanChoice& choice : info.choices) {
    if (choice.option == "tune") choice.why += "; " + context->known.told();
  }
  tell("receive_chunks", std::to_string(info.receive_chunks), "as many as chunks, where possible");
}

std::string to_string(const PlanInfo& info) {
  std::ostringstream text;
  text << to_string(info.shape) << ", " << to_string(info.kinds) << ", "
       << to_string(info.input.type) << " to " << to_string(info.output.type) << "\nworkspace "
       << human_bytes(static_cast<double>(info.workspace_bytes)) << ", shared "
       << human_bytes(static_cast<double>(info.shared_bytes)) << ", sends "
       << human_bytes(static_cast<double>(info.bytes_sent)) << ", predicted "
       << human_seconds(info.predicted_seconds) << "\n";
  for (const PlanChoice& choice : info.choices) {
    text << choice.option << " = " << choice.value << " (" << choice.why << ")\n";
  }
  return text.str();
}

}  // namespace weft
