#pragma once

#include <cstdint>

namespace weft::test {

/// Largest count or displacement that a data movement of MPI was given since the last reset. A
/// program that is linked with largest_count.cpp has these functions of MPI wrapped.
void reset_largest_count();
std::int64_t largest_count();

}  // namespace weft::test
