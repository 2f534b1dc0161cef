#pragma once

#include <cstddef>

namespace weft {

/// Alignment of every buffer and message: a cache line, and enough for any vector unit.
inline constexpr std::size_t buffer_alignment = 64;

/// A huge page of the host, and from how many bytes on memory asks for such pages.
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
inline constexpr std::size_t huge_memory_bytes = 4 * huge_page_bytes;

constexpr std::size_t aligned_up(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

}  // namespace weft
