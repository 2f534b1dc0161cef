#include "fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/NonLinearOptimization>

#include "weft/error.hpp"

namespace weft {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const double start_deviation = std::numbers::ln10;
constexpr double least_spread = 1e-4;  // where the model explains everything
constexpr double step = 1e-4;          // of logarithms, in derivatives

VectorXd logarithms(Machine machine) {
  const auto fields = figures(machine);
  VectorXd result(static_cast<Eigen::Index>(fields.size()));
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    result[i] = std::log(*fields[static_cast<std::size_t>(i)].second);
  }
  return result;
}

Machine machine_of(const VectorXd& logs) {
  Machine machine;
  const auto fields = figures(machine);
  for (Eigen::Index i = 0; i < logs.size(); ++i) {
    *fields[static_cast<std::size_t>(i)].second = std::exp(logs[i]);
  }
  return machine;
}

VectorXd residuals(std::span<const MeasuredRun> runs, const VectorXd& logs) {
  const Machine machine = machine_of(logs);
  VectorXd result(static_cast<Eigen::Index>(runs.size()));
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    const MeasuredRun& run = runs[static_cast<std::size_t>(i)];
    result[i] = run.weight() * std::log(run.predicted(machine) / run.seconds);
  }
  return result;
}

/// By central differences.
MatrixXd jacobian(std::span<const MeasuredRun> runs, const VectorXd& logs) {
  MatrixXd result(static_cast<Eigen::Index>(runs.size()), logs.size());
  for (Eigen::Index i = 0; i < logs.size(); ++i) {
    const VectorXd change = step * VectorXd::Unit(logs.size(), i);
    result.col(i) = (residuals(runs, logs + change) - residuals(runs, logs - change)) / (2 * step);
  }
  return result;
}

/// As Eigen's solver wants it: residuals of the runs, then what pulls the figures to the start.
struct Functor {
  std::span<const MeasuredRun> runs;
  VectorXd start;
  double pull;

  Eigen::Index inputs() const { return start.size(); }
  Eigen::Index values() const { return static_cast<Eigen::Index>(runs.size()) + start.size(); }
  int operator()(const VectorXd& logs, VectorXd& result) const {
    result << residuals(runs, logs), pull * (logs - start);
    return 0;
  }
  int df(const VectorXd& logs, MatrixXd& result) const {
    result << jacobian(runs, logs), pull * MatrixXd::Identity(start.size(), start.size());
    return 0;
  }
};

/// The 95% point of Student's distribution by its expansion around the normal one (Abramowitz and
/// Stegun, 26.7.5), good to 1% from three degrees of freedom.
double student_95(double freedom) {
  const double z = 1.6448536269514722;
  const double n = std::max(freedom, 3.0);
  const double z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n);
}

/// The result of a search that begins at `logs`, and what it has minimized.
std::pair<Fit, double> search(std::span<const MeasuredRun> runs, const VectorXd& begin,
                              VectorXd logs) {
  double spread = 0.1;
  double freedom = 1;
  double cost = 0;
  double weights = 0;
  for (const MeasuredRun& run : runs) weights += run.weight() * run.weight();
  MatrixXd covariance;
  // The pull is relative to the spread, which the fit tells.
  for (int round = 0; round < 3; ++round) {
    const double pull = spread / start_deviation;
    Functor functor{runs, begin, pull};
    Eigen::LevenbergMarquardt<Functor> solver(functor);
    solver.parameters.maxfev = 200;  // at kinks of the model it may never settle
    solver.minimize(logs);
    const MatrixXd slopes = jacobian(runs, logs);
    const MatrixXd normal = slopes.transpose() * slopes;
    const MatrixXd inverse =
        (normal + pull * pull * MatrixXd::Identity(begin.size(), begin.size())).inverse();
    const double determined = (normal * inverse).trace();
    freedom = std::max(weights - determined, 1.0);
    cost = residuals(runs, logs).squaredNorm();
    spread = std::max(std::sqrt(cost / freedom), least_spread);
    covariance = spread * spread * inverse;
  }
  Fit fit{machine_of(logs), {.spread = spread, .freedom = freedom, .names = {}, .covariance = {}}};
  for (const auto& [name, value] : figures(fit.machine)) {
    fit.uncertainty.names.emplace_back(name);
  }
  fit.uncertainty.covariance.assign(covariance.data(), covariance.data() + covariance.size());
  return {fit, cost};
}

}  // namespace

Uncertainty Uncertainty::assumed() {
  return {.spread = std::log(1.3) / student_95(1e9), .freedom = 1e9, .names = {}, .covariance = {}};
}

Machine start_of_fits() {
  Machine machine;
  machine.island_nodes = 20;
  machine.taper = 2;
  machine.memory_reach = 32e6;
  machine.memory_taper = 2;
  return machine;
}

Fit fit_machine(std::span<const MeasuredRun> runs, const Machine& start) {
  if (runs.empty()) throw Error("there are no runs to fit the figures of a machine with");
  Machine memory_bound = start;
  memory_bound.flops *= 8;
  const auto [fit, cost] = search(runs, logarithms(start), logarithms(start));
  const auto [other, cost_of_other] = search(runs, logarithms(start), logarithms(memory_bound));
  return cost_of_other < cost ? other : fit;
}

Bounds bounds(const std::function<double(const Machine&)>& predicted, const Machine& machine,
              const Uncertainty& uncertainty) {
  const std::size_t count = uncertainty.names.size();
  std::vector<double> slopes(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto moved = [&](double by) {
      Machine other = machine;
      for (auto& [name, value] : figures(other)) {
        if (name == uncertainty.names[i]) *value *= std::exp(by);
      }
      return std::log(predicted(other));
    };
    slopes[i] = (moved(step) - moved(-step)) / (2 * step);
  }
  double variance = uncertainty.spread * uncertainty.spread;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      variance += slopes[i] * uncertainty.covariance[i * count + j] * slopes[j];
    }
  }
  const double factor = std::exp(student_95(uncertainty.freedom) * std::sqrt(variance));
  const double middle = predicted(machine);
  return {middle / factor, middle * factor};
}

}  // namespace weft
