#pragma once

#include <vector>

#include "weft/box.hpp"

namespace weft {

/// Division of a box into tiles along axes that a pass leaves alone. Tiles are numbered; the
/// transformed axes are whole in each.
///
/// This is the mechanism behind cache blocking (a tile is sized to the cache) and behind threads (a
/// tile is the unit of work). Chunks, which are sized to a message, are regions of it.
class Tiling {
 public:
  Tiling() = default;
  /// Tiles begin at multiples of `tile` counted from `origin`, which is at or below the region's
  /// lower bound by less than a tile; the first and the last along an axis may be shorter.
  Tiling(const Box& region, const Extents& tile, const Extents& origin);
  Tiling(const Box& region, const Extents& tile) : Tiling(region, tile, region.lower) {}

  Index count() const { return count_; }
  Box box(Index number) const;
  /// All different extents that tiles have.
  std::vector<Extents> shapes() const;
  /// No tile is longer along any axis.
  Extents largest() const;

 private:
  Box region_;
  Extents tile_;
  Extents origin_;
  Extents tiles_;  // number of tiles per axis
  Index count_ = 0;
};

struct TilingRequest {
  Box region;
  AxisList transformed;   ///< whole in every tile
  AxisList source_order;  ///< memory orders on both sides, slowest first
  AxisList sink_order;
  Index bytes_per_point = 16;
  Index budget = 0;  ///< bytes of a tile
  int threads = 1;   ///< at least so many tiles, where possible
  /// Tiles are cut at multiples of `alignment` along this axis, in global coordinates.
  int aligned_axis = -1;
  Index alignment = 1;
};

/// Tiles as large as the budget allows, grown first along the fastest axis of either side so that
/// memory is touched in runs of at least a cache line.
Tiling choose_tiling(const TilingRequest& request);

}  // namespace weft
