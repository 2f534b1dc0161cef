#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fit.hpp"
#include "measured_runs.hpp"

namespace weft {

/// A measured row beside its prediction.
struct ComparedRow {
  const MeasuredRun* run;
  double predicted;
  Bounds within;
  bool fitted;  ///< whether the figures were fitted with it

  double error() const { return predicted / run->seconds - 1; }
};

/// Relative errors of predictions.
struct ErrorSummary {
  std::size_t rows = 0;
  double rms = 0;
  double mean = 0;  ///< of absolute values
  double worst = 0;
  double inside = 0;        ///< share of rows within the interval
  double weighted_rms = 0;  ///< by MeasuredRun::weight
  double scatter = 0;       ///< rms of what the runs themselves scatter, where they tell
};

ErrorSummary summary(const std::vector<ComparedRow>& rows);

/// Runs of one machine, program and method.
struct ComparedGroup {
  std::string name;
  Machine machine;
  std::size_t fitted = 0;         ///< rows that the figures were fitted with
  std::vector<ComparedRow> rows;  ///< all of them

  /// Rows that the figures were not fitted with, or all if there are no others.
  std::vector<ComparedRow> counted() const;
};

/// Which rows the figures are fitted with.
struct FitRows {
  Index most_nodes = std::numeric_limits<Index>::max();
  std::vector<std::string> also;  ///< names of others

  bool contains(const MeasuredRun& run) const;
};

/// By groups, in the order of `measured`, which has to outlive the result. Without a machine the
/// figures of each group are fitted; what has fewer than three rows to fit is then left out, and
/// entered there.
std::vector<ComparedGroup> compare(MeasuredRuns& measured, const std::optional<Fit>& machine,
                                   const FitRows& fit_rows);

}  // namespace weft
