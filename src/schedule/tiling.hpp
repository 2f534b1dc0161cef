#pragma once

#include "weft/box.hpp"

namespace weft {

/// Division of a box into tiles along axes that a pass leaves alone. Tiles are numbered; the
/// transformed axes are whole in each.
///
/// This is the one mechanism behind cache blocking (a tile is sized to the cache) and behind
/// threads (a tile is the unit of work); overlap will size it to a message.
class Tiling {
 public:
  Tiling() = default;
  Tiling(const Box& region, const Extents& tile);

  Index count() const { return count_; }
  /// Extents of the largest tile.
  const Extents& tile() const { return tile_; }
  Box box(Index number) const;

 private:
  Box region_;
  Extents tile_;
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
};

/// Tiles as large as the budget allows, grown first along the fastest axis of either side so that
/// memory is touched in runs of at least a cache line.
Tiling choose_tiling(const TilingRequest& request);

}  // namespace weft
