#pragma once

#include <cstdint>

#include "verify/random_value.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Fills what this rank owns of an array of lengths `shape`, in memory of the host; halo is left
/// alone.
void fill_random(const LocalArray& array, const Extents& shape, Index batch, std::uint64_t seed,
                 void* data);

}  // namespace weft
