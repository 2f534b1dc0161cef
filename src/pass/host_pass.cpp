#include "pass/host_pass.hpp"

#include <algorithm>

#include "device/alignment.hpp"
#include "kind/kind.hpp"
#include "pass/encoded_message.hpp"
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

HostPass::HostPass(const Context& context, const PassSpec& spec)
    : Pass(spec), context_(context), tiles_(context, spec_) {
  TilingRequest tiling = tiles_.tiling_request();
  const Index points = std::max<Index>(spec.before.count(), 1);
  tiling.bytes_per_point = bytes_of(spec.source.element) +
                           (bytes_of(spec.sink.element) * spec.after.count() + points - 1) / points;
  // A tile that is transformed in place may be twice as long.
  const bool in_place =
      context_.backend->in_place && !spec.axes.empty() && !tiles_.changes_lengths();
  tiling.budget = context_.tile_bytes() * (in_place ? 2 : 1);
  tiling.threads = context_.threads;
  tiling_ = choose_tiling(tiling);
  const auto bytes = [&](const Box& box, const PassSide& side) {
    return box.count() * bytes_of(side.element) * spec.parts;
  };
  if (bytes(spec.before, spec.source) > context_.fetch_bytes) load_ = Load::ahead;
  if (bytes(spec.after, spec.sink) > context_.stream_bytes) store_ = Store::streaming;
  if (tiling_.count() == 0) return;
  Box largest = spec.before;
  for (int axis = 0; axis < largest.axes(); ++axis) {
    largest.upper[axis] = largest.lower[axis] + tiling_.largest()[axis];
  }
  gathered_ = tile_memory(tiles_.before(largest), spec.source.element);
  transformed_ = tile_memory(tiles_.after(largest), spec.sink.element);
  if (spec.axes.empty()) return;
  const bool halves = spec.source.element.complex != spec.sink.element.complex;
  if (halves && !tiles_.changes_lengths()) align_tiles();
  choose_access();
  plan_transforms();
}

bool HostPass::has_conflicts(const PassSide& side) const {
  const ArrayView& view = side.views[0];
  return std::any_of(spec_.axes.begin(), spec_.axes.end(), [&](int axis) {
    return view.box.extent(axis) > 1 && conflicts(view.stride[axis], bytes_of(side.element));
  });
}

bool HostPass::suits_transform(const PassSide& side) const {
  const Strides& stride = side.views[0].stride;
  const auto unit = [&](int axis) { return stride[axis] == 1; };
  if (std::any_of(spec_.axes.begin(), spec_.axes.end(), unit)) return true;
  // Strided lines side by side, as long as they do not fall on the same places in cache.
  return !context_.reorders() && std::count(stride.begin(), stride.end(), 1) > 0 &&
         !has_conflicts(side);
}

bool HostPass::reads_ahead() const {
  if (!context_.backend->fetches_ahead) return false;
  const Strides& stride = spec_.source.views[0].stride;
  // Which axis is transformed first is the library's choice unless one is halved.
  const int halved = halved_axis(context_.problem.kinds);
  if (spec_.axes.contains(halved)) return !spec_.source.element.complex && stride[halved] == 1;
  return std::any_of(spec_.axes.begin(), spec_.axes.end(),
                     [&](int axis) { return stride[axis] == 1; });
}

void HostPass::choose_access() {
  const PassSide& source = spec_.source;
  const PassSide& sink = spec_.sink;
  const bool real_output = source.element.complex && !sink.element.complex;
  direct_source_ = source.is_array_with(spec_.before) && (load_ == Load::cached || reads_ahead()) &&
                   suits_transform(source) && (!real_output || spec_.may_destroy_source);
  direct_sink_ = sink.is_array_with(spec_.after) && spec_.scale == 1 &&
                 (store_ == Store::streaming ? streams_lines()
                                             : !has_conflicts(sink) && suits_transform(sink));
}

bool HostPass::streams_lines() const {
  if (!context_.backend->streams) return false;
  // Of several axes the halved one is the last to become real; the other ones are in any order.
  const int halved = halved_axis(context_.problem.kinds);
  const bool real_lines = !spec_.sink.element.complex && spec_.axes.contains(halved);
  if (spec_.axes.size() > 1 && !real_lines) return false;
  const int axis = spec_.axes.size() > 1 ? halved : spec_.axes[0];
  return spec_.sink.views[0].stride[axis] == 1 &&
         context_.backend->supports(tile_problem(tiling_.largest(), direct_source_, true));
}

HostPass::TileMemory HostPass::tile_memory(const Box& tile, CopyElement element) const {
  // Transformed axes fastest, so that lines are contiguous; or everything as it lies.
  AxisList order = spec_.source.order;
  if (context_.reorders()) {
    std::stable_partition(order.begin(), order.end(),
                          [&](int axis) { return !spec_.axes.contains(axis); });
  }
  const Index bytes = bytes_of(element);
  TileMemory memory{Strides::filled(tile.axes(), 0), 1};
  Index distance = 1;
  for (int i = order.size() - 1; i >= 0; --i) {
    memory.stride[order[i]] = distance;
    if (tile.extent(order[i]) == 1) continue;
    distance *= tile.extent(order[i]);
    distance = (distance * bytes + vector_bytes - 1) / vector_bytes * vector_bytes / bytes;
    if (conflicts(distance, bytes)) distance += static_cast<Index>(buffer_alignment) / bytes;
  }
  memory.elements = distance;
  return memory;
}

void HostPass::align_tiles() {
  const bool from_real = !spec_.source.element.complex;
  TileMemory& real = from_real ? gathered_ : transformed_;
  const TileMemory& complex = from_real ? transformed_ : gathered_;
  const int halved = halved_axis(context_.problem.kinds);
  if (real.stride[halved] != 1 || complex.stride[halved] != 1) return;
  for (int axis = 0; axis < real.stride.size(); ++axis) {
    if (axis != halved) real.stride[axis] = 2 * complex.stride[axis];
  }
  real.elements = 2 * complex.elements;
}

void HostPass::plan_transforms() {
  for (const Extents& shape : tiling_.shapes()) {
    Planned planned{shape, nullptr, nullptr, nullptr};
    const auto plan = [&](bool direct_source, bool direct_sink) {
      auto transform =
          make_local(*context_.backend, tile_problem(shape, direct_source, direct_sink));
      work_bytes_ = std::max(work_bytes_, aligned_up(static_cast<Index>(transform->work_bytes())));
      return transform;
    };
    if (direct_source_) planned.from_source = plan(true, direct_sink_);
    // Also needed beside a direct source where the user may pass the same array twice, or functions
    // that change what has been read.
    if (!direct_source_ || direct_sink_ || spec_.reads_input) {
      planned.from_gathered = plan(false, direct_sink_);
    }
    if (direct_sink_ && store_ == Store::streaming && spec_.writes_result) {
      planned.between_tiles = plan(false, false);
    }
    transforms_.push_back(std::move(planned));
  }
  // Half the memory stays in cache more easily.
  in_place_ = !direct_source_ && !direct_sink_ && !tiles_.changes_lengths() &&
              std::all_of(transforms_.begin(), transforms_.end(), [](const Planned& planned) {
                return planned.from_gathered->works_in_place();
              });
}

LocalProblem HostPass::tile_problem(const Extents& loops, bool direct_source,
                                    bool direct_sink) const {
  const Strides& in = direct_source ? spec_.source.views[0].stride : gathered_.stride;
  const Strides& out = direct_sink ? spec_.sink.views[0].stride : transformed_.stride;
  LocalProblem problem = tiles_.local_problem(loops, in, out, host_stream());
  problem.preserve_input = direct_source && !spec_.may_destroy_source;
  problem.any_alignment = true;  // tiles of an array may start at any element
  problem.from_memory = direct_source && load_ == Load::ahead;
  problem.to_memory = direct_sink && store_ == Store::streaming;
  problem.threads = tiling_.count() < context_.threads ? context_.threads : 1;
  return problem;
}

bool HostPass::works_in_place() const {
  return spec_.is_empty() || tiles_.has_same_positions();
}

Index HostPass::scratch_of_tiles() const {
  const bool through_tile = !spec_.axes.empty() || spec_.reads_input || spec_.writes_result ||
                            spec_.is_between_messages();
  if (!through_tile) return 0;
  return gathered_.bytes(spec_.source.element) +
         (in_place_ ? 0 : transformed_.bytes(spec_.sink.element));
}

Index HostPass::scratch_bytes() const {
  const bool encodes = spec_.source.has_messages() || spec_.sink.has_messages();
  const Index each =
      scratch_of_tiles() + work_bytes_ + (encodes ? EncodedMessage::buffer_bytes : 0);
  return each * std::min<Index>(context_.threads, tiling_.count());
}

}  // namespace weft
