#pragma once

#include <cstdint>

namespace weft::bench {

/// Memory of this process in bytes; 0 where the system does not tell.
struct MemoryUse {
  std::int64_t resident = 0;  ///< now
  std::int64_t peak = 0;      ///< largest resident since reset_peak
  std::int64_t data = 0;      ///< private memory asked for, touched or not
};

MemoryUse memory_use();
void reset_peak();
/// Memory that programs on this node can still get.
std::int64_t available_memory();

}  // namespace weft::bench
