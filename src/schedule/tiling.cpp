#include "schedule/tiling.hpp"

#include <algorithm>

namespace weft {

namespace {

constexpr Index cache_line_bytes = 64;
/// Long enough to make good use of a memory page that has been opened.
constexpr Index run_bytes = 512;

Index divided_up(Index a, Index b) {
  return (a + b - 1) / b;
}

}  // namespace

Tiling::Tiling(const Box& region, const Extents& tile) : region_(region), tile_(tile) {
  count_ = region.empty() ? 0 : 1;
  for (int axis = 0; axis < region.axes(); ++axis) {
    const Index tiles = region.empty() ? 0 : divided_up(region.extent(axis), tile[axis]);
    tiles_.push_back(tiles);
    count_ *= tiles;
  }
}

Box Tiling::box(Index number) const {
  Box result = region_;
  for (int axis = region_.axes() - 1; axis >= 0; --axis) {
    const Index at = number % tiles_[axis];
    number /= tiles_[axis];
    result.lower[axis] = region_.lower[axis] + at * tile_[axis];
    result.upper[axis] = std::min(result.lower[axis] + tile_[axis], region_.upper[axis]);
  }
  return result;
}

Tiling choose_tiling(const TilingRequest& request) {
  const Box& region = request.region;
  if (region.empty()) return Tiling(region, Extents::filled(region.axes(), 1));
  Extents tile;
  Index bytes = request.bytes_per_point;
  for (int axis = 0; axis < region.axes(); ++axis) {
    tile.push_back(request.transformed.contains(axis) ? region.extent(axis) : 1);
    bytes *= tile.back();
  }
  const auto grow = [&](int axis, Index wanted, Index at_least) {
    if (request.transformed.contains(axis)) return;
    const Index others = bytes / tile[axis];
    const Index fits = std::max(request.budget / std::max<Index>(others, 1), at_least);
    Index extent = std::max(tile[axis], std::min({wanted, fits, region.extent(axis)}));
    extent = divided_up(region.extent(axis), divided_up(region.extent(axis), extent));
    tile[axis] = extent;
    bytes = others * extent;
  };
  const Index line = divided_up(cache_line_bytes, request.bytes_per_point / 2);
  const Index run = divided_up(run_bytes, request.bytes_per_point / 2);
  for (const AxisList* order : {&request.source_order, &request.sink_order}) {
    grow(order->back(), line, line);
  }
  for (const AxisList* order : {&request.source_order, &request.sink_order}) {
    grow(order->back(), run, 1);
  }
  for (int i = request.source_order.size() - 1; i >= 0; --i) {
    const int axis = request.source_order[i];
    grow(axis, region.extent(axis), 1);
  }
  Tiling tiling(region, tile);
  while (tiling.count() < request.threads) {
    // Halve along the slowest axis that can be, which keeps runs long.
    int widest = -1;
    for (int axis : request.source_order) {
      if (!request.transformed.contains(axis) && tile[axis] > 1) {
        widest = axis;
        break;
      }
    }
    if (widest < 0) break;
    tile[widest] = divided_up(tile[widest], 2);
    tiling = Tiling(region, tile);
  }
  return tiling;
}

}  // namespace weft
