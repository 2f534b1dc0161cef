#pragma once

#include <cstddef>
#include <span>

#include "exchange/communicator.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Relative error that a run with this report may have: rounding and, of messages that were
/// compressed, the tolerance, which is a promise; without one what was measured while encoding,
/// with room for a sample of the output that is not quite like the whole.
double error_bound(const Plan& plan, const Report& report);

/// Points at which to compare a run with exact values. Compression errs as far as it may, so that
/// the error of a few points may by chance be above that of all.
int sample_count(const Plan& plan);

/// Collective. Error of the last run at random points of the result, relative to the exact values
/// there or, where those happen to be small, to the root mean square of the result: rounding errors
/// are as large at points where a smooth field has next to nothing. NaN when anything is not
/// finite.
double checked_error(const Communicator& comm, const Plan& plan, Direction direction,
                     const std::byte* in, std::span<const std::byte> out);

}  // namespace weft
