#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "weft/plan.hpp"

namespace weft {

/// Runs a plan on untyped memory: the types of the elements are those of the plan. The same memory
/// for both, large enough for either array: in place.
void execute(Plan& plan, Direction direction, std::span<std::byte> in, std::span<std::byte> out);

/// The same for many fields, with forward_many or backward_many.
void execute_many(Plan& plan, Direction direction, const std::vector<std::span<std::byte>>& in,
                  const std::vector<std::span<std::byte>>& out);

/// Bytes of the memory of this rank.
std::size_t array_bytes(const LocalArray& array);

}  // namespace weft
