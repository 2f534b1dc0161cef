#pragma once

#include <cstddef>

#include "weft/axes.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// A strided block in memory: pointer to its first element and distances in elements.
struct ConstBlock {
  const std::byte* data;
  Strides stride;
};
struct MutableBlock {
  std::byte* data;
  Strides stride;
};

/// How the stores of a copy are made.
enum class Store {
  cached,     ///< ordinary stores
  streaming,  ///< past the cache, for data that will not be used again soon
};

/// How the loads of a copy are made.
enum class Load {
  cached,  ///< in their turn, for data in cache
  ahead,   ///< those of rows that follow each other at a distance before their turn
};

/// Type of the elements of a copy.
struct CopyElement {
  Precision precision = Precision::f64;
  bool complex = true;
};

constexpr Index bytes_of(CopyElement element) {
  return (element.precision == Precision::f32 ? 4 : 8) * (element.complex ? 2 : 1);
}

/// Copies a block of `extents` elements, multiplied by `scale`. The blocks must not overlap. Axes
/// are merged and ordered first, so contiguous parts become memcpy and transpositions run in small
/// blocks that fit in the first-level cache. After streaming stores call finish_streaming().
void copy_block(const Extents& extents, const MutableBlock& to, const ConstBlock& from,
                CopyElement element, Store store, double scale = 1, Load load = Load::cached);

/// Sets a block to zero.
void clear_block(const Extents& extents, const MutableBlock& to, CopyElement element);

/// Makes streaming stores visible to other threads and devices.
void finish_streaming();

}  // namespace weft
