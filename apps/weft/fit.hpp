#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "measured_runs.hpp"
#include "schedule/machine.hpp"

namespace weft {

/// How far predictions may be off, as a fit has found it. Everything is in natural logarithms.
struct Uncertainty {
  double spread = 0;               ///< standard deviation of what the model does not explain
  double freedom = 0;              ///< rows less the figures that they determined
  std::vector<std::string> names;  ///< figures that were fitted
  std::vector<double> covariance;  ///< of them, row by row

  /// For figures that no runs were fitted with: predictions are taken to be right within a factor
  /// of 1.3 nine times of ten.
  static Uncertainty assumed();
};

struct Fit {
  Machine machine;
  Uncertainty uncertainty;
};

/// Where fits begin: defaults, with islands of 20 nodes (half of the ports of a common switch) and
/// passes of 32 MB, and twice the time beyond them.
Machine start_of_fits();

/// The figures with which the model explains the runs best: least squares of
/// log(predicted / measured) over the logarithms of all figures, by the method of Levenberg and
/// Marquardt. Each figure is also pulled to where it starts, as if that were known within a factor
/// of ten, which only matters for those that the runs do not tell. Runs count less where their
/// repetitions scatter, see MeasuredRun::weight. Of two searches, which begin with passes limited
/// by arithmetic and by memory, the better one counts. Throws Error without runs.
Fit fit_machine(std::span<const MeasuredRun> runs, const Machine& start);

struct Bounds {
  double low;
  double high;

  bool contains(double value) const { return low <= value && value <= high; }
};

/// What holds a new measurement nine times of ten: from the spread and, to first order, from the
/// covariance of the figures, by Student's distribution.
Bounds bounds(const std::function<double(const Machine&)>& predicted, const Machine& machine,
              const Uncertainty& uncertainty);

}  // namespace weft
