#pragma once

#include <cstdint>

namespace weft::bench {

/// Memory of this process in bytes; 0 where the system does not tell.
struct MemoryUse {
  std::int64_t resident = 0;  ///< now
  std::int64_t peak = 0;      ///< largest resident since reset_peak
  /// Private memory asked for, touched or not, but for what malloc holds free: a heap that grows
  /// by a step of its own is no growth, and the smallest block that is not given back is.
  std::int64_t data = 0;
};

MemoryUse memory_use();
void reset_peak();
/// Memory that programs on this node can still get.
std::int64_t available_memory();

}  // namespace weft::bench
