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

Tiling::Tiling(const Box& region, const Extents& tile, const Extents& origin)
    : region_(region), tile_(tile), origin_(origin) {
  count_ = region.empty() ? 0 : 1;
  for (int axis = 0; axis < region.axes(); ++axis) {
    const Index tiles =
        region.empty() ? 0 : divided_up(region.upper[axis] - origin[axis], tile[axis]);
    tiles_.push_back(tiles);
    count_ *= tiles;
  }
}

Box Tiling::box(Index number) const {
  Box result = region_;
  for (int axis = region_.axes() - 1; axis >= 0; --axis) {
    const Index at = number % tiles_[axis];
    number /= tiles_[axis];
    const Index begin = origin_[axis] + at * tile_[axis];
    result.lower[axis] = std::max(begin, region_.lower[axis]);
    result.upper[axis] = std::min(begin + tile_[axis], region_.upper[axis]);
  }
  return result;
}

std::vector<Extents> Tiling::shapes() const {
  std::vector<Extents> result{{}};
  for (int axis = 0; axis < region_.axes(); ++axis) {
    const Index first = std::min(origin_[axis] + tile_[axis], region_.upper[axis]);
    const Index last = origin_[axis] + (tiles_[axis] - 1) * tile_[axis];
    std::vector<Index> lengths{first - region_.lower[axis]};
    if (tiles_[axis] > 2) lengths.push_back(tile_[axis]);
    if (tiles_[axis] > 1) lengths.push_back(region_.upper[axis] - last);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::vector<Extents> extended;
    for (const Extents& shape : result) {
      for (Index length : lengths) {
        extended.push_back(shape);
        extended.back().push_back(length);
      }
    }
    result = std::move(extended);
  }
  return count_ == 0 ? std::vector<Extents>{} : result;
}

Extents Tiling::largest() const {
  Extents result = tile_;
  for (int axis = 0; axis < region_.axes(); ++axis) {
    result[axis] = std::min(result[axis], region_.extent(axis));
  }
  return result;
}

Tiling choose_tiling(const TilingRequest& request) {
  const Box& region = request.region;
  if (region.empty()) return Tiling(region, Extents::filled(region.axes(), 1));
  Extents tile;
  Index bytes = request.bytes_per_point;
  for (int axis = 0; axis < region.axes(); ++axis) {
    const Index least = axis == request.aligned_axis ? request.alignment : 1;
    tile.push_back(request.transformed.contains(axis) ? region.extent(axis) : least);
    bytes *= tile.back();
  }
  const auto grow = [&](int axis, Index wanted, Index at_least) {
    if (request.transformed.contains(axis)) return;
    const Index others = bytes / tile[axis];
    const Index fits = std::max(request.budget / std::max<Index>(others, 1), at_least);
    Index extent = std::max(tile[axis], std::min({wanted, fits, region.extent(axis)}));
    extent = divided_up(region.extent(axis), divided_up(region.extent(axis), extent));
    if (axis == request.aligned_axis) {
      extent = divided_up(extent, request.alignment) * request.alignment;
    }
    tile[axis] = extent;
    bytes = others * extent;
  };
  const auto divided = [&] {
    Extents origin = region.lower;
    const int axis = request.aligned_axis;
    if (axis >= 0 && !request.transformed.contains(axis)) {
      origin[axis] = origin[axis] / request.alignment * request.alignment;
    }
    return Tiling(region, tile, origin);
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
  Tiling tiling = divided();
  while (tiling.count() < request.threads) {
    // Halve along the slowest axis that can be, which keeps runs long.
    int widest = -1;
    for (int axis : request.source_order) {
      const bool divisible = axis != request.aligned_axis && tile[axis] > 1;
      if (!request.transformed.contains(axis) && divisible) {
        widest = axis;
        break;
      }
    }
    if (widest < 0) break;
    tile[widest] = divided_up(tile[widest], 2);
    tiling = divided();
  }
  return tiling;
}

}  // namespace weft
