#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "weft/axes.hpp"

namespace weft {

/// Copies contiguous bytes past the caches, but for the ends that do not fill cache lines: a partly
/// written line would cost a read and a write of its own. Call finish_streaming() afterwards.
inline void copy_streaming(void* to_memory, const void* from_memory, Index bytes) {
  auto* const to = static_cast<char*>(to_memory);
  const auto* const from = static_cast<const char*>(from_memory);
#if defined(__SSE2__)
  constexpr Index line_bytes = 64;
  const auto before_line = static_cast<Index>(-reinterpret_cast<std::uintptr_t>(to) % line_bytes);
  const Index first = std::min(before_line, bytes);
  const Index last = first + (bytes - first) / line_bytes * line_bytes;
  std::memcpy(to, from, static_cast<std::size_t>(first));
  for (Index at = first; at < last; at += Index{sizeof(__m128i)}) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
  std::memcpy(to + last, from + last, static_cast<std::size_t>(bytes - last));
#else
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
#endif
}

}  // namespace weft
