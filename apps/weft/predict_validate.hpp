#pragma once

#include <string>

#include "validation.hpp"

namespace weft {

/// What `weft predict --validate` is told.
struct ValidateOptions {
  std::string path;
  std::string machine;  ///< file; empty: the figures of each group are fitted
  std::string json;     ///< file to write, if any
  FitRows fit_rows;
  bool rows = false;  ///< whether each row is printed
};

/// Prints errors of predictions by groups, what was left out and, if wanted, each row. Returns the
/// errors of all.
ErrorSummary print_comparison(const std::vector<ComparedGroup>& groups,
                              const MeasuredRuns& measured, bool rows);

/// Prints errors of predictions against measured rows. Throws Error.
int validate(const ValidateOptions& options);

}  // namespace weft
