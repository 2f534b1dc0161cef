#include "prediction.hpp"

#include <algorithm>
#include <limits>

#include "schedule/planner.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// "2 > 1 > 0"
std::string text_of(const Schedule& schedule) {
  std::string text;
  for (const Stage& stage : schedule.stages) {
    if (!text.empty()) text += ' ';
    if (const auto* local = std::get_if<LocalStage>(&stage)) {
      for (int i = 0; i < local->axes.size(); ++i) {
        text += (i == 0 ? "" : ",") + std::to_string(local->axes[i]);
      }
    } else {
      text += '>';
    }
  }
  return text;
}

Index most_chunks(const Schedule& schedule) {
  std::size_t most = 1;
  for (const Stage& stage : schedule.stages) {
    if (const auto* move = std::get_if<RedistributeStage>(&stage)) {
      most = std::max(most, move->chunks().size());
    }
  }
  return static_cast<Index>(most);
}

/// Where messages cost nothing.
Machine without_messages(Machine machine) {
  machine.node = machine.network = {std::numeric_limits<double>::infinity(), 0};
  return machine;
}

/// Whether the array is distributed by a process grid that the options may name.
bool has_grid(const PredictedCase& given) {
  return given.own_layouts ? given.problem.shape.size() >= 3 : given.problem.shape.size() >= 2;
}

/// Throws Error where they are more than MPI has.
Index ranks_of(Index nodes, const Machine& machine) {
  constexpr Index most_ranks = std::numeric_limits<int>::max();
  if (nodes > most_ranks / machine.ranks_per_node) {
    throw Error(std::to_string(nodes) + " nodes of " + std::to_string(machine.ranks_per_node) +
                " ranks are more than " + std::to_string(most_ranks) + " ranks");
  }
  return nodes * machine.ranks_per_node;
}

Extents near_square(Index ranks) {
  const auto factors = near_equal_factors(ranks, 2);
  return {factors[0].parts, factors[1].parts};
}

/// Pencils of the last axis before and of the first one after the transform, or slabs. The planner
/// complains of a grid that does not suit.
void set_layouts(Problem& problem, Options& options, Index ranks) {
  const int axes = problem.shape.size();
  if (axes < 3) {
    problem.input = slab_split(0);
    problem.output = slab_split(axes > 1 ? 1 : 0);
    return;
  }
  if (options.grid.empty()) options.grid = near_square(ranks);
  const bool suits = options.grid.size() == 2 && product(options.grid) == ranks;
  const Extents parts = suits ? options.grid : near_square(ranks);
  auto before = Extents::filled(axes, 1), after = before;
  before[0] = after[1] = parts[0];
  before[1] = after[2] = parts[1];
  problem.input = grid(before);
  problem.output = grid(after);
}

}  // namespace

Prediction predict(const PredictedCase& given, const Fit& fit, Index nodes) {
  Prediction result;
  result.nodes = nodes;
  result.ranks = ranks_of(nodes, fit.machine);
  Problem problem = given.problem;
  Options options = given.options;
  if (given.own_layouts) set_layouts(problem, options, result.ranks);
  result.grid = options.grid;
  const ResolvedProblem resolved = resolve(problem, result.ranks, 0);
  const Schedule schedule = plan_schedule(resolved, options, fit.machine);
  const auto seconds = [&](const Machine& machine) {
    return predicted_seconds(schedule, resolved.precision, machine);
  };
  result.chunks = most_chunks(schedule);
  result.schedule = text_of(schedule);
  result.seconds = seconds(fit.machine);
  result.within = bounds(seconds, fit.machine, fit.uncertainty);
  result.communication = 1 - seconds(without_messages(fit.machine)) / result.seconds;
  return result;
}

std::vector<Prediction> predict_grids(const PredictedCase& given, const Fit& fit, Index nodes) {
  const Index ranks = ranks_of(nodes, fit.machine);
  std::vector<Extents> grids;
  if (!given.options.grid.empty() || !has_grid(given)) {
    grids.push_back(given.options.grid);
  } else {
    for (Index first = 1; first <= ranks; ++first) {
      if (ranks % first == 0) grids.push_back({first, ranks / first});
    }
  }
  std::vector<Prediction> result;
  for (const Extents& parts : grids) {
    PredictedCase one = given;
    one.options.grid = parts;
    Prediction best = predict(one, fit, nodes);
    for (const Index chunks : {2, 4, 8}) {
      if (given.options.chunks != 0) break;
      one.options.chunks = chunks;
      const Prediction other = predict(one, fit, nodes);
      if (other.seconds < best.seconds) best = other;
    }
    result.push_back(best);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Prediction& a, const Prediction& b) { return a.seconds < b.seconds; });
  return result;
}

double efficiency(const Prediction& prediction, const Prediction& first) {
  return first.seconds * static_cast<double>(first.nodes) /
         (prediction.seconds * static_cast<double>(prediction.nodes));
}

}  // namespace weft
