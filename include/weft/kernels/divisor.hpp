#pragma once

#include <bit>
#include <cstdint>

#include "weft/kernels/inline.hpp"

namespace weft {

/// Numbers that a Divisor divides are below it.
constexpr std::int64_t divisor_limit = std::int64_t{1} << 31;

/// Division by a number that is known before, by the upper half of a product.
struct Divisor {
  std::uint32_t count = 1;
  std::uint32_t multiplier = 0;
  std::uint32_t shift = 0;
};

inline Divisor make_divisor(std::uint32_t count) {
  if (count == 1) return {};
  const auto shift = static_cast<std::uint32_t>(std::bit_width(count - 1)) - 1;
  const std::uint64_t power = std::uint64_t{1} << (32 + shift);
  return {count, static_cast<std::uint32_t>((power + count - 1) / count), shift};
}

WEFT_INLINE std::uint32_t quotient(std::uint32_t number, const Divisor& by) {
  if (by.count == 1) return number;
  return static_cast<std::uint32_t>(std::uint64_t{number} * by.multiplier >> 32) >> by.shift;
}

/// Divides `number` and returns the remainder.
WEFT_INLINE std::uint32_t take(std::uint32_t& number, const Divisor& by) {
  const std::uint32_t whole = quotient(number, by);
  const std::uint32_t remainder = number - whole * by.count;
  number = whole;
  return remainder;
}

}  // namespace weft
