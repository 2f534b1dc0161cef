#pragma once

#include <cstdint>

#include "weft/axes.hpp"
#include "weft/pointwise.hpp"

namespace weft {

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: splitmix64.
WEFT_HOST_DEVICE constexpr std::uint64_t mixed_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// A number in [-1, 1) that depends on `index` and `seed` only, so that every layout and number of
/// ranks sees the same array.
WEFT_HOST_DEVICE constexpr double random_value(std::uint64_t index, std::uint64_t seed) {
  return static_cast<double>(static_cast<std::int64_t>(mixed_bits(index ^ mixed_bits(seed)))) *
         0x1p-63;
}

/// The same for an element of an array, real or complex: all parts have values of their own.
template <class Number>
WEFT_HOST_DEVICE Number random_number(Index element, std::uint64_t seed) {
  using Part = typename detail::PartOfNumber<Number>::type;
  Number number;
  auto* const parts = reinterpret_cast<Part*>(&number);
  // NOLINTNEXTLINE(bugprone-sizeof-expression): real numbers have one part, of their own type
  for (std::size_t part = 0; part < sizeof(Number) / sizeof(Part); ++part) {
    const auto index = static_cast<std::uint64_t>(element) * 2 + part;
    parts[part] = static_cast<Part>(random_value(index, seed));
  }
  return number;
}

}  // namespace weft
