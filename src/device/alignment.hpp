#pragma once

#include <cstddef>

namespace weft {

/// Alignment of every buffer and message: a cache line, and enough for any vector unit.
inline constexpr std::size_t buffer_alignment = 64;

constexpr std::size_t aligned_up(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

}  // namespace weft
