// What reports show of the candidates: where each stands among the others, and those not tried.
#include <algorithm>
#include <limits>

#include "plan/choose.hpp"
#include "schedule/planner.hpp"
#include "tune/candidates.hpp"

namespace weft {

std::string Candidates::grid_name(const std::string& settings) const {
  const std::vector<std::string> layouts = all_layouts();
  if (layouts.empty()) return "as given";
  const std::string schedule = schedule_text(settings);
  if (schedule.empty()) return "";
  const auto same = std::find_if(layouts.begin(), layouts.end(), [&](const std::string& layout) {
    return schedule_text(changed(settings, layout)) == schedule;
  });
  if (same == layouts.end()) return "auto";
  const Extents grid = parse_options(*same).grid;
  return grid.empty() ? "slab" : to_string(grid);
}

Candidate Candidates::placed(const PlanTrial& trial, const std::string& grid) const {
  const Options options = with_defaults(context_.given, trial.settings);
  return {trial, grid, options.exchange == "auto" ? context_.exchange.name() : options.exchange,
          options.chunks == 0 ? "auto" : std::to_string(options.chunks)};
}

std::vector<Candidate> Candidates::overview(const std::vector<PlanTrial>& trials) const {
  std::vector<Candidate> result;
  for (const PlanTrial& trial : trials) result.push_back(placed(trial, grid_name(trial.settings)));
  const auto chosen = std::find_if(trials.begin(), trials.end(),
                                   [](const PlanTrial& trial) { return trial.chosen; });
  if (chosen == trials.end() || context_.problem.ranks == 1) return result;

  std::vector<std::string> grids = all_layouts();
  std::vector<std::string> others{"exchange=auto", "chunks=auto"};
  for (const auto& more : {exchanges(), chunks()}) {
    others.insert(others.end(), more.begin(), more.end());
  }
  grids.insert(grids.begin(), grids.empty() ? "" : "algorithm=auto, grid=auto");
  std::vector<std::string> names{""};
  for (const std::string& grid : grids) {
    const std::string with_grid = changed(chosen->settings, grid);
    const std::string name = grid_name(with_grid);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    for (const std::string& other : others) {
      for (const PlanTrial& trial : predicted({changed(with_grid, other)})) {
        const Candidate candidate = placed(trial, name);
        const bool is_there = std::any_of(result.begin(), result.end(), [&](const Candidate& one) {
          return one.grid == candidate.grid && one.exchange == candidate.exchange &&
                 one.chunks == candidate.chunks;
        });
        if (!is_there) result.push_back(candidate);
      }
    }
  }
  return result;
}

std::optional<double> Candidates::floor_seconds() const {
  if (context_.known.figures.empty()) return {};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Machine measured = context_.machine;
  measured.memory_bandwidth = measured.cache_bandwidth = infinity;
  measured.node = measured.network = {infinity, 0};
  set_figures(measured, context_.known.figures);
  measured.flops = measured.prime_flops = infinity;
  measured.node.latency = measured.network.latency = 0;
  measured = machine_for(context_.given, measured);
  Machine memory = measured, links = measured;
  memory.node = memory.network = {infinity, 0};
  links.memory_bandwidth = links.cache_bandwidth = infinity;
  double floor = 0;
  for (const Machine& machine : {memory, links}) {
    const Schedule schedule = plan_schedule(context_.problem, context_.given, machine);
    floor =
        std::max(floor, 2 * weft::predicted_seconds(schedule, context_.problem.precision, machine));
  }
  return floor;
}

}  // namespace weft
