#pragma once

#include "device/alignment.hpp"
#include "weft/axes.hpp"

namespace weft {

/// A distance, of no less than `elements`, that is whole cache lines but no multiple of so many
/// that neighbors compete for the same places in cache.
inline Index padded_stride(Index elements, Index element_bytes) {
  constexpr Index conflicting_bytes = 1024;
  auto bytes = static_cast<Index>(aligned_up(static_cast<std::size_t>(elements * element_bytes)));
  if (bytes % conflicting_bytes == 0) bytes += static_cast<Index>(buffer_alignment);
  return bytes / element_bytes;
}

}  // namespace weft
