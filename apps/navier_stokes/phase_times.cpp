#include "phase_times.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace weft::navier_stokes {

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
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  for (PhaseSeconds& phases : means) {
    MPI_Allreduce(MPI_IN_PLACE, phases.data(), static_cast<int>(phases.size()), MPI_DOUBLE, MPI_SUM,
                  comm);
    for (double& seconds : phases) seconds /= ranks;
  }
  return means;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

PhaseSummary::PhaseSummary(const std::vector<PhaseSeconds>& steps) {
  if (steps.empty()) return;
  const auto count = static_cast<double>(steps.size());
  std::vector<double> values(steps.size());
  for (std::size_t phase = 0; phase < median.size(); ++phase) {
    std::transform(steps.begin(), steps.end(), values.begin(),
                   [&](const PhaseSeconds& phases) { return phases[phase]; });
    mean[phase] = std::accumulate(values.begin(), values.end(), 0.0) / count;
    median[phase] = navier_stokes::median(values);
  }
  std::transform(steps.begin(), steps.end(), values.begin(), total);
  step = {*std::min_element(values.begin(), values.end()), navier_stokes::median(values),
          std::accumulate(values.begin(), values.end(), 0.0) / count,
          *std::max_element(values.begin(), values.end())};
}

std::string PhaseSummary::table() const {
  std::string text = "seconds per step      median        mean   share\n";
  const auto add = [&](const char* name, double middle, double average) {
    char line[80];
    std::snprintf(line, sizeof line, "  %-14s %11.4g %11.4g %6.1f%%\n", name, middle, average,
                  step.mean > 0 ? 100 * average / step.mean : 0);
    text += line;
  };
  for (std::size_t phase = 0; phase < median.size(); ++phase) {
    add(phase_names[phase], median[phase], mean[phase]);
  }
  add("total", step.median, step.mean);
  return text;
}

}  // namespace weft::navier_stokes
