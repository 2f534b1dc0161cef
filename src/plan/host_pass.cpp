#include "plan/host_pass.hpp"

#include <algorithm>

#include "device/alignment.hpp"
#include "kind/kind.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

/// Distances in memory that are multiples of this fall into few sets of the first-level cache.
constexpr Index conflicting_bytes = 1024;

/// Lines in a tile start at multiples of this.
constexpr Index vector_bytes = 16;

bool conflicts(Index stride, Index element_bytes) {
  return stride * element_bytes % conflicting_bytes == 0;
}

}  // namespace

HostPass::HostPass(const PassRequest& request) : Pass(request) {
  TilingRequest tiling;
  tiling.region = request.before.empty() ? request.before : before_of(request.before);
  tiling.transformed = request.axes;
  tiling.source_order = request.source.order;
  tiling.sink_order = request.sink.order;
  const Index points = std::max<Index>(request.before.count(), 1);
  tiling.bytes_per_point =
      element_bytes(request.source.complex) +
      (element_bytes(request.sink.complex) * request.after.count() + points - 1) / points;
  // A tile that is transformed in place may be twice as long.
  const bool in_place = request.backend->in_place && !request.axes.empty() && !changes_lengths();
  tiling.budget = request.tile_bytes * (in_place ? 2 : 1);
  tiling.threads = request.threads;
  encoded_ = request.source.may_be_encoded() || request.sink.may_be_encoded();
  if (encoded_) {
    const Side& messages = request.sink.may_be_encoded() ? request.sink : request.source;
    tiling.aligned_axis = messages.order.back();
    tiling.alignment = request.alignment;
  }
  tiling_ = choose_tiling(tiling);
  const auto bytes = [&](const Box& box, bool complex) {
    return box.count() * element_bytes(complex) * request.parts;
  };
  if (bytes(request.before, request.source.complex) > request.fetch_bytes) load_ = Load::ahead;
  if (bytes(request.after, request.sink.complex) > request.stream_bytes) {
    store_ = Store::streaming;
  }
  if (tiling_.count() == 0) return;
  Box largest = request.before;
  for (int axis = 0; axis < largest.axes(); ++axis) {
    largest.upper[axis] = largest.lower[axis] + tiling_.largest()[axis];
  }
  gathered_ = tile_memory(before_of(largest), request_.source.complex);
  transformed_ = tile_memory(after_of(largest), request_.sink.complex);
  if (request.axes.empty()) return;
  if (request.source.complex != request.sink.complex && !changes_lengths()) align_tiles();
  choose_access();
  plan_transforms();
}

bool HostPass::has_conflicts(const Piece& piece, bool complex) const {
  return std::any_of(request_.axes.begin(), request_.axes.end(), [&](int axis) {
    return piece.box.extent(axis) > 1 && conflicts(piece.stride[axis], element_bytes(complex));
  });
}

bool HostPass::suits_transform(const Piece& piece, bool complex) const {
  const auto unit = [&](int axis) { return piece.stride[axis] == 1; };
  if (std::any_of(request_.axes.begin(), request_.axes.end(), unit)) return true;
  // Strided lines side by side, as long as they do not fall on the same places in cache.
  const int axes = piece.stride.size();
  for (int axis = 0; axis < axes; ++axis) {
    if (unit(axis) && !request_.reorder) return !has_conflicts(piece, complex);
  }
  return false;
}

bool HostPass::reads_ahead(const Piece& piece) const {
  if (!request_.backend->fetches_ahead) return false;
  // Which axis is transformed first is the library's choice unless one is halved.
  const int halved = halved_axis(request_.kinds);
  if (request_.axes.contains(halved)) return !request_.source.complex && piece.stride[halved] == 1;
  return std::any_of(request_.axes.begin(), request_.axes.end(),
                     [&](int axis) { return piece.stride[axis] == 1; });
}

void HostPass::choose_access() {
  const bool real_output = request_.source.complex && !request_.sink.complex;
  direct_source_ = request_.source.is_array_with(request_.before) &&
                   (load_ == Load::cached || reads_ahead(request_.source.pieces[0])) &&
                   suits_transform(request_.source.pieces[0], request_.source.complex) &&
                   (!real_output || request_.source_may_be_destroyed);
  direct_sink_ = request_.sink.is_array_with(request_.after) && request_.scale == 1;
  if (direct_sink_ && store_ == Store::cached) {
    direct_sink_ = !has_conflicts(request_.sink.pieces[0], request_.sink.complex) &&
                   suits_transform(request_.sink.pieces[0], request_.sink.complex);
  } else if (direct_sink_) {
    direct_sink_ = streams_lines();
  }
}

bool HostPass::streams_lines() const {
  if (!request_.backend->streams) return false;
  // Of several axes the halved one is the last to become real; the other ones are in any order.
  const int halved = halved_axis(request_.kinds);
  const bool real_lines = !request_.sink.complex && request_.axes.contains(halved);
  if (request_.axes.size() > 1 && !real_lines) return false;
  const int axis = request_.axes.size() > 1 ? halved : request_.axes[0];
  return request_.sink.pieces[0].stride[axis] == 1 &&
         request_.backend->supports(tile_problem(tiling_.largest(), direct_source_, true));
}

HostPass::TileMemory HostPass::tile_memory(const Box& tile, bool complex) const {
  // Transformed axes fastest, so that lines are contiguous; or everything as it lies.
  AxisList order;
  for (int axis : request_.source.order) {
    if (!request_.reorder || !request_.axes.contains(axis)) order.push_back(axis);
  }
  for (int axis : request_.source.order) {
    if (request_.reorder && request_.axes.contains(axis)) order.push_back(axis);
  }
  const Index bytes = element_bytes(complex);
  TileMemory memory{Strides::filled(tile.axes(), 0), 1};
  Index distance = 1;
  for (int i = order.size() - 1; i >= 0; --i) {
    memory.stride[order[i]] = distance;
    if (tile.extent(order[i]) == 1) continue;
    distance *= tile.extent(order[i]);
    distance = (distance * bytes + vector_bytes - 1) / vector_bytes * vector_bytes / bytes;
    if (conflicts(distance, bytes)) {
      distance += static_cast<Index>(buffer_alignment) / bytes;
    }
  }
  memory.elements = distance;
  return memory;
}

void HostPass::align_tiles() {
  TileMemory& real = request_.source.complex ? transformed_ : gathered_;
  const TileMemory& complex = request_.source.complex ? gathered_ : transformed_;
  const int halved = halved_axis(request_.kinds);
  if (real.stride[halved] != 1 || complex.stride[halved] != 1) return;
  for (int axis = 0; axis < real.stride.size(); ++axis) {
    if (axis != halved) real.stride[axis] = 2 * complex.stride[axis];
  }
  real.elements = 2 * complex.elements;
}

void HostPass::plan_transforms() {
  for (const Extents& shape : tiling_.shapes()) {
    Planned planned{shape, nullptr, nullptr, nullptr};
    if (direct_source_) planned.from_source = plan_transform(shape, true, direct_sink_);
    // Also needed beside a direct source where the user may pass the same array twice, or functions
    // that change what has been read.
    if (!direct_source_ || direct_sink_ || request_.reads_input) {
      planned.from_gathered = plan_transform(shape, false, direct_sink_);
    }
    if (direct_sink_ && store_ == Store::streaming && request_.writes_result) {
      planned.between_tiles = plan_transform(shape, false, false);
    }
    for (const auto* transform :
         {&planned.from_source, &planned.from_gathered, &planned.between_tiles}) {
      if (*transform == nullptr) continue;
      const std::size_t bytes = aligned_up((*transform)->work_bytes());
      work_bytes_ = std::max(work_bytes_, static_cast<Index>(bytes));
    }
    transforms_.push_back(std::move(planned));
  }
  // Half the memory stays in cache more easily.
  in_place_ = !direct_source_ && !direct_sink_ && !changes_lengths() &&
              std::all_of(transforms_.begin(), transforms_.end(), [](const Planned& planned) {
                return planned.from_gathered->works_in_place();
              });
}

LocalProblem HostPass::tile_problem(const Extents& loops, bool direct_source,
                                    bool direct_sink) const {
  const Strides& in = direct_source ? request_.source.pieces[0].stride : gathered_.stride;
  const Strides& out = direct_sink ? request_.sink.pieces[0].stride : transformed_.stride;
  LocalProblem problem = local_problem(loops, in, out);
  problem.preserve_input = direct_source && !request_.source_may_be_destroyed;
  problem.any_alignment = true;  // tiles of an array may start at any element
  problem.from_memory = direct_source && load_ == Load::ahead;
  problem.to_memory = direct_sink && store_ == Store::streaming;
  problem.threads = tiling_.count() < request_.threads ? request_.threads : 1;
  return problem;
}

std::unique_ptr<LocalTransform> HostPass::plan_transform(const Extents& loops, bool direct_source,
                                                         bool direct_sink) const {
  return make_local(*request_.backend, tile_problem(loops, direct_source, direct_sink));
}

bool HostPass::works_in_place() const {
  return (request_.before.empty() && request_.after.empty()) || has_same_positions();
}

Index HostPass::scratch_of_tiles() const {
  const bool through_tile = !request_.axes.empty() || request_.reads_input ||
                            request_.writes_result ||
                            (request_.source.may_be_encoded() && request_.sink.may_be_encoded());
  if (!through_tile) return 0;
  const auto bytes = [&](const TileMemory& memory, bool complex) {
    return aligned_up(static_cast<std::size_t>(memory.elements * element_bytes(complex)));
  };
  const std::size_t gathered = bytes(gathered_, request_.source.complex);
  const std::size_t transformed = in_place_ ? 0 : bytes(transformed_, request_.sink.complex);
  return static_cast<Index>(gathered + transformed);
}

Index HostPass::scratch_bytes() const {
  const Index each =
      scratch_of_tiles() + work_bytes_ + (encoded_ ? EncodedMessage::buffer_bytes : 0);
  return each * std::min<Index>(request_.threads, tiling_.count());
}

}  // namespace weft
