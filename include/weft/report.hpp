#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/axes.hpp"

namespace weft {

/// What compression did to one redistribution of the last transform. Errors are relative L2 errors
/// over all ranks, bytes those that this rank sent to others.
struct RedistributionReport {
  std::string codec;           ///< name of the codec; "none" where the data went uncompressed
  double predicted_error = 0;  ///< relative error that the model expects of white data
  double error = 0;            ///< measured while encoding
  Index bytes = 0;             ///< sent, all attempts together
  Index plain_bytes = 0;       ///< what they would have been uncompressed
  int repeated = 0;            ///< attempts that erred more than this stage's share, or were broken
  bool broken = false;         ///< data had Inf or NaN, or more range than the codec
};

/// What compression did in the last transform. With unbiased rounding and unitary stages the
/// squares of the errors of all redistributions add up. Rounding of the transforms is not included.
struct Report {
  std::optional<double> tolerance;  ///< Options::tolerance
  double predicted_error = 0;       ///< relative error that the model expects of white data
  double error = 0;                 ///< measured while encoding
  Index bytes = 0;                  ///< sent by this rank
  Index plain_bytes = 0;            ///< what they would have been uncompressed
  std::vector<RedistributionReport> redistributions;  ///< in the order in which they ran
};
/// A line for each redistribution, and one for all.
std::string to_string(const Report& report);

}  // namespace weft
