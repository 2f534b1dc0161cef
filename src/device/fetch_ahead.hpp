#pragma once

#include "weft/axes.hpp"

namespace weft {

/// Begins to fetch contiguous bytes of memory into the first-level cache, for data that will be
/// needed soon where the processor does not foresee it.
inline void fetch_ahead(const void* data, Index bytes) {
  constexpr Index line_bytes = 64;
  const auto* const begin = static_cast<const char*>(data);
  for (Index at = 0; at < bytes; at += line_bytes) __builtin_prefetch(begin + at);
}

}  // namespace weft
