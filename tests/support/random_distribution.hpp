#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "geometry/distribution.hpp"
#include "geometry/layout.hpp"

namespace weft::test {

/// Small random numbers, the same everywhere for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  Index below(Index limit) {
    return static_cast<Index>(engine_() % static_cast<std::uint64_t>(limit));
  }
  bool chance(int percent) { return below(100) < percent; }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64 engine_;
};

/// 1 to `most_axes` axes of length 1 to `longest`.
Extents random_shape(Random& random, int most_axes, Index longest);
/// A box within the shape, not empty.
Box random_box(Random& random, const Extents& shape);
/// Boxes, one per rank, that tile the shape; some may be empty.
std::vector<Box> random_boxes(const Extents& shape, int count, std::mt19937_64& random);
/// Process grids with their factors on any axes and in any order of ranks, some smaller than the
/// number of ranks, and listed boxes, some of them empty.
Distribution random_distribution(Random& random, const Extents& shape, Index ranks);
AxisList random_order(Random& random, int axes);
/// Such a distribution in any memory order.
Layout random_dense_layout(Random& random, const Extents& shape, Index ranks);

}  // namespace weft::test
