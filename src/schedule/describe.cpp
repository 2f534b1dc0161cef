#include "schedule/describe.hpp"

#include <cmath>
#include <cstdio>

#include "geometry/human_units.hpp"
#include "kind/kind.hpp"

namespace weft {

namespace {

std::string layout_text(const ArrayState& state) {
  std::string text = to_string(state.layout.distribution);
  if (!(state.layout.memory.order == natural_order(state.shape.size()))) {
    text += " order " + to_string(state.layout.memory.order);
  }
  return text;
}

double local_bytes(const ArrayState& state, const ResolvedProblem& problem) {
  return static_cast<double>(state.box(problem.rank).count()) *
         static_cast<double>(element_bytes(state.complex, problem.precision));
}

/// Which points and modes there are, if not all.
std::string existing_text(const ResolvedProblem& problem, int axis) {
  const Index length = problem.lengths[axis], points = problem.shape[axis];
  const Index modes = problem.spectral[axis];
  std::string text;
  if (points < length) text += " of " + std::to_string(points) + " points";
  if (modes < traits(problem.kinds[axis]).output_length(length)) {
    text += " keeping " + std::to_string(modes) + " modes";
  }
  return text;
}

std::string cut_text(const Cut& cut) {
  return std::to_string(cut.count) + " parts of axis " + std::to_string(cut.axis);
}

/// How a redistribution is cut, if it is.
std::string chunking_text(const RedistributeStage& move) {
  const Cut &sender = move.chunking.sender, &receiver = move.chunking.receiver;
  if (!move.chunking.is_cut()) return "";
  const std::string chunks = ", in " + std::to_string(move.chunks().size()) + " chunks: ";
  if (sender == receiver) return chunks + cut_text(sender);
  std::string text;
  if (sender.count > 1) text = cut_text(sender) + " leave";
  if (receiver.count > 1) text += (text.empty() ? "" : ", ") + cut_text(receiver) + " arrive";
  return chunks + text;
}

}  // namespace

std::string describe(const Stage& stage, Direction direction, const ResolvedProblem& problem,
                     const Machine& machine) {
  std::string text;
  if (const auto* local = std::get_if<LocalStage>(&stage)) {
    text = local->axes.empty() ? "copy        " : "local       ";
    for (int axis : local->axes) {
      text += "axis " + std::to_string(axis) + " " + to_string(problem.kinds[axis]) +
              " n=" + std::to_string(problem.lengths[axis]) + existing_text(problem, axis) + ", ";
    }
    if (direction == Direction::backward && !local->axes.empty()) text += "inverse, ";
    text += "in " + layout_text(local->before) + ", box " +
            to_string(local->before.box(problem.rank)) + ", " +
            human_bytes(local_bytes(local->before, problem));
    if (!(local->before.layout.memory.order == local->after.layout.memory.order)) {
      text += " -> order " + to_string(local->after.layout.memory.order);
    }
  } else {
    const auto& move = std::get<RedistributeStage>(stage);
    const auto list = messages(move, problem.rank);
    double remote = 0, largest = 0;
    Index peers = 0;
    for (const MessageRegion& message : list.sends) {
      if (message.peer == problem.rank) continue;
      ++peers;
      const double bytes =
          static_cast<double>(message.region.count()) *
          static_cast<double>(element_bytes(move.before.complex, problem.precision));
      remote += bytes;
      largest = std::max(largest, bytes);
    }
    text =
        "redistribute " + layout_text(move.before) + " -> " + layout_text(move.after) + ", " +
        std::to_string(peers) + " peers" +
        (move.group.fixed.empty() ? ""
                                  : " in group " + std::to_string(move.group.color(problem.rank))) +
        ", sends " + human_bytes(remote) + ", largest message " + human_bytes(largest) +
        chunking_text(move);
  }
  return text + ", predicted " +
         human_seconds(predicted_seconds(stage, problem.precision, machine));
}

std::string describe(const Schedule& schedule, const ResolvedProblem& problem,
                     const Machine& machine) {
  std::string lines;
  int number = 0;
  for (const Stage& stage : schedule.stages) {
    lines += "  " + std::to_string(++number) + ". " +
             describe(stage, schedule.direction, problem, machine) + "\n";
  }
  return std::string(schedule.direction == Direction::forward ? "forward" : "backward") + " " +
         to_string(problem.lengths) + " " + to_string(problem.kinds) + " " +
         to_string(problem.precision) + ", rank " + std::to_string(problem.rank) + " of " +
         std::to_string(problem.ranks) + ", predicted " +
         human_seconds(predicted_seconds(schedule, problem.precision, machine)) + "\n" + lines;
}

}  // namespace weft
