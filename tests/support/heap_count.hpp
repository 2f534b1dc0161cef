#pragma once

#include <cstdint>

namespace weft::test {

/// What went through operator new and aligned_alloc in the whole process since the last reset. A
/// program that is linked with heap_count.cpp has these functions replaced.
struct HeapCount {
  std::int64_t allocations = 0;
  std::int64_t bytes = 0;  ///< more in use than at the reset
  std::int64_t peak = 0;   ///< the largest such number
};

void reset_heap_count();
HeapCount heap_count();

}  // namespace weft::test
