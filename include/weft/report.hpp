#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/axes.hpp"

namespace weft {

/// The effect of compression on one redistribution of the last transform. Errors are relative L2
/// errors over all ranks, bytes those that this rank sent to others.
struct RedistributionReport {
  std::string codec;           ///< name of the codec; "none" if the data was sent uncompressed
  double predicted_error = 0;  ///< relative error that the model predicts for white data
  double error = 0;            ///< measured while encoding
  Index bytes = 0;             ///< sent, all attempts together
  Index plain_bytes = 0;       ///< size without compression
  int repeated = 0;            ///< attempts that exceeded their share of the error, or failed
  bool broken = false;         ///< data had Inf or NaN, or more range than the codec
};

/// The effect of compression in the last transform. With unbiased rounding and unitary stages the
/// squares of the errors of all redistributions add up. Rounding errors of the transforms are not
/// included.
struct Report {
  std::optional<double> tolerance;  ///< Options::tolerance
  double predicted_error = 0;       ///< relative error that the model predicts for white data
  double error = 0;                 ///< measured while encoding
  Index bytes = 0;                  ///< sent by this rank
  Index plain_bytes = 0;            ///< size without compression
  std::vector<RedistributionReport> redistributions;  ///< in the order in which they ran
};
/// The report as text: a line for each redistribution, and one for all.
std::string to_string(const Report& report);

}  // namespace weft
