#include "validation.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr std::size_t fewest_rows = 3;

using Together = std::vector<const MeasuredRun*>;

std::vector<Together> by_group(const std::vector<MeasuredRun>& runs) {
  std::vector<Together> groups;
  for (const MeasuredRun& run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Together& group) {
      return group.front()->group == run.group;
    });
    if (same != groups.end()) {
      same->push_back(&run);
    } else {
      groups.push_back({&run});
    }
  }
  return groups;
}

ComparedRow compared(const MeasuredRun& run, const Fit& fit, bool fitted) {
  const auto predicted = [&](const Machine& machine) { return run.predicted(machine); };
  return {&run, predicted(fit.machine), bounds(predicted, fit.machine, fit.uncertainty), fitted};
}

}  // namespace

bool FitRows::contains(const MeasuredRun& run) const {
  return run.nodes <= most_nodes || std::find(also.begin(), also.end(), run.name) != also.end();
}

ErrorSummary summary(const std::vector<ComparedRow>& rows) {
  ErrorSummary result;
  if (rows.empty()) return result;
  double squares = 0, scatter = 0, weighted = 0, weights = 0;
  for (const ComparedRow& row : rows) {
    const double error = std::abs(row.error());
    squares += error * error;
    const double weight = row.run->weight() * row.run->weight();
    weighted += weight * error * error;
    weights += weight;
    scatter += row.run->scatter * row.run->scatter;
    result.mean += error;
    result.worst = std::max(result.worst, error);
    result.inside += row.within.contains(row.run->seconds) ? 1 : 0;
  }
  const auto count = static_cast<double>(rows.size());
  result.rows = rows.size();
  result.rms = std::sqrt(squares / count);
  result.weighted_rms = std::sqrt(weighted / weights);
  result.mean /= count;
  result.inside /= count;
  result.scatter = std::sqrt(scatter / count);
  return result;
}

std::vector<ComparedRow> ComparedGroup::counted() const {
  std::vector<ComparedRow> others;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(others),
               [](const ComparedRow& row) { return !row.fitted; });
  return others.empty() ? rows : others;
}

std::vector<ComparedGroup> compare(MeasuredRuns& measured, const std::optional<Fit>& machine,
                                   const FitRows& fit_rows) {
  std::vector<ComparedGroup> result;
  for (const Together& group : by_group(measured.runs)) {
    std::vector<MeasuredRun> to_fit;
    for (const MeasuredRun* run : group) {
      if (!machine && fit_rows.contains(*run)) to_fit.push_back(*run);
    }
    if (!machine && to_fit.size() < fewest_rows) {
      std::vector<std::string>& names =
          measured.left_out["fewer than " + std::to_string(fewest_rows) + " rows to fit"];
      for (const MeasuredRun* run : group) names.push_back(run->name);
      continue;
    }
    const Fit fit = machine ? *machine : fit_machine(to_fit, start_of_fits());
    ComparedGroup one{group.front()->group, fit.machine, to_fit.size(), {}};
    for (const MeasuredRun* run : group) {
      one.rows.push_back(compared(*run, fit, !machine && fit_rows.contains(*run)));
    }
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace weft
