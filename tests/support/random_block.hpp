#pragma once

#include "support/random_distribution.hpp"
#include "weft/axes.hpp"

namespace weft::test {

/// Nested strides in a random order of axes, mostly without gaps.
Strides random_strides(Random& random, const Extents& extents);
/// Elements from the first to the last one of a block, with both.
Index reach(const Extents& extents, const Strides& strides);

}  // namespace weft::test
