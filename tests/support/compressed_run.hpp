#pragma once

#include <string>

#include "support/plan_run.hpp"

namespace weft::test {

/// Data of one run: the whole input, and exactly what it should give.
struct CompressionCase {
  Problem problem;
  Direction direction = Direction::forward;
  bool turbulent = false;  ///< energy falls as k^(-5/3); otherwise white noise
  GlobalArray given;
  GlobalArray exact;
  std::string text;  ///< what it is, for messages
};

/// Inputs are exact in both precisions.
CompressionCase make_case(const Problem& problem, Direction direction, bool turbulent,
                          std::uint64_t seed);

/// Collective. Runs a plan on the input of a case; relative L2 error of the result.
double compressed_error(Plan& plan, const CompressionCase& the_case);

/// Collective. Bytes that all ranks sent in the last run.
Index bytes_of_all(const Plan& plan);

/// Collective. Expects reports of the last run to be the same on all ranks, but for bytes.
void expect_same_report(const Plan& plan);

/// Exchanges between packed messages, which can be compressed.
std::vector<std::string> packed_exchanges();

}  // namespace weft::test
