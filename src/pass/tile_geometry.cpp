#include "pass/tile_geometry.hpp"

#include <algorithm>

#include "kind/kind.hpp"

namespace weft {

TilingRequest TileGeometry::tiling_request() const {
  TilingRequest tiling;
  tiling.region = spec_.before;
  tiling.transformed = spec_.axes;
  tiling.source_order = spec_.source.order;
  tiling.sink_order = spec_.sink.order;
  const PassSide& messages = spec_.sink.has_messages() ? spec_.sink : spec_.source;
  if (messages.has_messages()) {
    tiling.aligned_axis = messages.order.back();
    tiling.alignment = spec_.alignment;
  }
  return tiling;
}

bool TileGeometry::changes_lengths() const {
  return std::any_of(spec_.axes.begin(), spec_.axes.end(), [&](int axis) {
    const KindTraits& kind = traits(context_.problem.kinds[axis]);
    const Index length = context_.problem.lengths[axis];
    const bool forward = spec_.direction == Direction::forward;
    const Index points = (forward ? spec_.before : spec_.after).extent(axis);
    const Index modes = (forward ? spec_.after : spec_.before).extent(axis);
    return points != length || modes != kind.output_length(length);
  });
}

Box TileGeometry::with_axes_of(const Box& whole, const Box& tile) const {
  Box box = tile;
  for (int axis : spec_.axes) {
    box.lower[axis] = whole.lower[axis];
    box.upper[axis] = whole.upper[axis];
  }
  return box;
}

bool TileGeometry::has_same_positions() const {
  if (!spec_.source.is_array_with(spec_.before) || !spec_.sink.is_array_with(spec_.after)) {
    return false;
  }
  // Copies take no detour over scratch memory.
  if (spec_.axes.empty() || changes_lengths()) return false;
  const ArrayView& from = spec_.source.views[0];
  const ArrayView& to = spec_.sink.views[0];
  const Index from_bytes = bytes_of(spec_.source.element);
  const Index to_bytes = bytes_of(spec_.sink.element);
  if (from.offset * from_bytes != to.offset * to_bytes) return false;
  for (int axis = 0; axis < spec_.before.axes(); ++axis) {
    const bool halved = traits(context_.problem.kinds[axis]).real_to_complex;
    if (halved && spec_.axes.contains(axis)) {
      // A line of reals and its half spectrum start together and are contiguous.
      if (from.stride[axis] != 1 || to.stride[axis] != 1) return false;
    } else if (from.stride[axis] * from_bytes != to.stride[axis] * to_bytes) {
      return false;
    }
  }
  return true;
}

/// Libraries halve the last axis; the others go from slowest to fastest.
AxisList TileGeometry::transformed_axes() const {
  AxisList axes;
  for (const bool halved : {false, true}) {
    for (int axis : spec_.source.order) {
      if (!spec_.axes.contains(axis)) continue;
      if (traits(context_.problem.kinds[axis]).real_to_complex == halved) axes.push_back(axis);
    }
  }
  return axes;
}

AxisList TileGeometry::looped_axes(const Extents& loops) const {
  AxisList axes;
  for (int axis : spec_.source.order) {
    if (!spec_.axes.contains(axis) && loops[axis] != 1) axes.push_back(axis);
  }
  return axes;
}

LocalProblem TileGeometry::local_problem(const Extents& loops, const Strides& in,
                                         const Strides& out, Stream& stream) const {
  LocalProblem local;
  local.direction = spec_.direction;
  local.precision = context_.problem.precision;
  local.orthogonal = context_.problem.orthogonal;
  local.real_data = !spec_.source.element.complex && !spec_.sink.element.complex;
  local.rigor = context_.options.rigor;
  local.stream = &stream;
  for (int axis : transformed_axes()) {
    local.transform.push_back({context_.problem.lengths[axis], in[axis], out[axis],
                               spec_.before.extent(axis), spec_.after.extent(axis)});
    local.kinds.push_back(context_.problem.kinds[axis]);
  }
  for (int axis : looped_axes(loops)) local.batch.push_back({loops[axis], in[axis], out[axis]});
  return local;
}

void TileGeometry::enter_pieces(const PieceViews& views, bool input, const Extents& loops,
                                LocalProblem& problem) const {
  LocalPieces& entered = input ? problem.in_pieces : problem.out_pieces;
  const Box& whole = input ? spec_.before : spec_.after;
  const AxisList transformed = transformed_axes(), looped = looped_axes(loops);
  for (int i = 0; i < transformed.size(); ++i) {
    if (transformed[i] == views.axis) entered.axis = i;
  }
  entered.sums = views.codecs;
  for (const ArrayView* view : views.views) {
    const auto strides = [&](const AxisList& axes) {
      Strides list;
      for (int axis : axes) list.push_back(view->stride[axis]);
      return list;
    };
    entered.pieces.push_back({view->box.upper[views.axis] - whole.lower[views.axis],
                              strides(transformed), strides(looped)});
  }
}

}  // namespace weft
