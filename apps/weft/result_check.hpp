#pragma once

#include <cstddef>
#include <span>

#include "exchange/communicator.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Collective. Error at random points of the result, relative to the exact values there or, where
/// those happen to be small, to the root mean square of the result: rounding errors are as large at
/// points where a smooth field has next to nothing. NaN when anything is not finite.
double checked_error(const Communicator& comm, const Plan& plan, Direction direction,
                     const std::byte* in, std::span<const std::byte> out);

}  // namespace weft
