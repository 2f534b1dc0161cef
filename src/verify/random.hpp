#pragma once

#include <cstdint>

#include "weft/plan.hpp"

namespace weft {

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: splitmix64.
constexpr std::uint64_t mixed_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// A number in [-1, 1) that depends on `index` and `seed` only, so that every layout and number of
/// ranks sees the same array.
constexpr double random_value(std::uint64_t index, std::uint64_t seed) {
  return static_cast<double>(static_cast<std::int64_t>(mixed_bits(index ^ mixed_bits(seed)))) *
         0x1p-63;
}

/// Fills what this rank owns of an array of lengths `shape`; halo is left alone.
void fill_random(const LocalArray& array, const Extents& shape, Index batch, std::uint64_t seed,
                 void* data);

}  // namespace weft
