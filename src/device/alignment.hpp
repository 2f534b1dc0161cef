#pragma once

#include <concepts>
#include <cstddef>

namespace weft {

/// Alignment of every buffer and message: a cache line, and enough for any vector unit.
inline constexpr std::size_t buffer_alignment = 64;

/// A huge page of the host, and from how many bytes on memory asks for such pages.
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
inline constexpr std::size_t huge_memory_bytes = 4 * huge_page_bytes;

template <std::integral Bytes>
constexpr Bytes aligned_up(Bytes bytes) {
  constexpr auto unit = static_cast<Bytes>(buffer_alignment);
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace weft
