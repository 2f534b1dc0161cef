#include "phase_times.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace weft::navier_stokes {

namespace {

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

double total(const PhaseSeconds& phases) {
  return std::accumulate(phases.begin(), phases.end(), 0.0);
}

void PhaseTimes::begin_step() {
  steps_.emplace_back();
  last_ = MPI_Wtime();
}

void PhaseTimes::end(Phase phase) {
  const double now = MPI_Wtime();
  steps_.back()[static_cast<std::size_t>(phase)] += now - last_;
  last_ = now;
}

double PhaseTimes::mean_of_last(std::size_t count) const {
  count = std::min(count, steps_.size());
  double sum = 0;
  for (std::size_t i = steps_.size() - count; i < steps_.size(); ++i) sum += total(steps_[i]);
  return sum / static_cast<double>(count);
}

std::vector<PhaseSeconds> PhaseTimes::mean_over_ranks(MPI_Comm comm) const {
  std::vector<PhaseSeconds> means = steps_;
  if (means.empty()) return means;
  MPI_Allreduce(MPI_IN_PLACE, means.front().data(),
                static_cast<int>(means.size() * means.front().size()), MPI_DOUBLE, MPI_SUM, comm);
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  for (PhaseSeconds& phases : means) {
    for (double& seconds : phases) seconds /= ranks;
  }
  return means;
}

PhaseSummary::PhaseSummary(const std::vector<PhaseSeconds>& steps) {
  median.fill(NAN);
  mean = median;
  if (steps.empty()) return;  // all is NaN, and null in JSON
  const auto count = static_cast<double>(steps.size());
  std::vector<double> values(steps.size());
  for (std::size_t phase = 0; phase < median.size(); ++phase) {
    std::transform(steps.begin(), steps.end(), values.begin(),
                   [&](const PhaseSeconds& phases) { return phases[phase]; });
    mean[phase] = std::accumulate(values.begin(), values.end(), 0.0) / count;
    median[phase] = median_of(values);
  }
  std::transform(steps.begin(), steps.end(), values.begin(), total);
  step = {*std::min_element(values.begin(), values.end()), median_of(values),
          std::accumulate(values.begin(), values.end(), 0.0) / count,
          *std::max_element(values.begin(), values.end())};
}

std::string PhaseSummary::table() const {
  if (std::isnan(step.mean)) return {};
  std::string text = "seconds per step      median        mean   share\n";
  const auto add = [&](const char* name, double middle, double average) {
    char line[80];
    std::snprintf(line, sizeof line, "  %-14s %11.4g %11.4g %6.1f%%\n", name, middle, average,
                  100 * average / step.mean);
    text += line;
  };
  for (std::size_t phase = 0; phase < median.size(); ++phase) {
    add(phase_names[phase], median[phase], mean[phase]);
  }
  add("total", step.median, step.mean);
  return text;
}

}  // namespace weft::navier_stokes
