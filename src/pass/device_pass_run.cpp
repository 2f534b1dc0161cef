#include <algorithm>

#include "kind/kind.hpp"
#include "kind/modes.hpp"
#include "pass/device_pass.hpp"

namespace weft {

/// Calls work(part) for the parts of a stored box that lie together in a tile, but for a gap along
/// the fastest axis of messages. Only along axes with kept modes are there two.
template <class Work>
void DevicePass::for_each_part(const Box& box, const Box& tile, bool input,
                               const MutableBlock& lies, Work&& work) const {
  const PassSide& side = input ? spec_.source : spec_.sink;
  AxisList cut_axes;  // of which not all elements are stored
  const auto begin_of = [&](int axis) {
    const Index stored = stored_length(axis, input);
    return is_physical(input) ? stored : split_modes(context_.problem.kinds[axis], stored).begin;
  };
  const auto gap_of = [&](int axis) {
    return whole_length(axis, input) - stored_length(axis, input);
  };
  int gap_axis = -1;
  for (int axis : spec_.axes) {
    if (gap_of(axis) == 0) continue;
    if (axis == side.order.back()) {
      gap_axis = axis;
    } else {
      cut_axes.push_back(axis);
    }
  }
  for (unsigned choice = 0; choice < 1u << cut_axes.size(); ++choice) {
    Part part{box, {lies}};
    Index position = 0;
    for (int i = 0; i < cut_axes.size(); ++i) {
      const int axis = cut_axes[i];
      const Index middle = begin_of(axis);
      if ((choice >> i & 1) == 0) {
        part.box.upper[axis] = std::min(part.box.upper[axis], middle);
      } else {
        part.box.lower[axis] = std::max(part.box.lower[axis], middle);
        position += gap_of(axis) * lies.stride[axis];
      }
    }
    if (part.box.empty()) continue;
    if (gap_axis >= 0) {
      part.block.axis = gap_axis;
      part.block.gap = gap_of(gap_axis);
      part.block.gap_at = begin_of(gap_axis) - part.box.lower[gap_axis];
    }
    for (int axis = 0; axis < box.axes(); ++axis) {
      const Index lower = spec_.axes.contains(axis) ? 0 : tile.lower[axis];
      position += (part.box.lower[axis] - lower) * lies.stride[axis];
    }
    part.block.block.data += position * bytes_of(side.element);
    work(part);
  }
}

/// From arrays to arrays, from messages to an array, or from an array to messages. Where functions
/// change the numbers of the user's input or output, those move what is not encoded.
void DevicePass::copy(const PassRun& run, PartTimes::Watch& watch) const {
  const CopyElement type = spec_.source.element;
  const bool functions = on_input(run) || on_output(run);
  const auto for_each_pair = [&](const auto& work) {
    for_each_view(spec_.source, spec_.before, nullptr, [&](const ArrayView& from, const Box& box) {
      for_each_view(spec_.sink, box, run.only,
                    [&](const ArrayView& to, const Box& common) { work(from, to, common); });
    });
  };
  moves_.begin(type, run.addresses);
  for_each_pair([&](const ArrayView& from, const ArrayView& to, const Box& common) {
    if (functions && !from.is_encoded()) return;
    moves_.copy(from, to, common, spec_.source.order, spec_.sink.order);
  });
  moves_.run(stream_, spec_.scale);
  watch.lap(spec_.source.has_messages() ? part_of_source(spec_.source) : part_of_sink(spec_.sink));
  if (!functions) return;
  for_each_pair([&](const ArrayView& from, const ArrayView& to, const Box& common) {
    Callbacks::Numbers numbers{common, to.address(common, run.addresses, type), to.stride,
                               bytes_of(type)};
    if (!from.is_encoded()) {
      numbers.from = {from.address(common, run.addresses, type), from.stride};
    }
    if (on_input(run)) {
      run.callbacks.apply(on_input(run), numbers, from);
      numbers.from = {};
    }
    if (on_output(run)) run.callbacks.apply(on_output(run), numbers, to);
  });
  watch.lap(&StageParts::callback);
}

/// Of a tile, elements that are not stored are zero.
void DevicePass::clear_gaps(const TileMemory& lies, std::byte* memory) const {
  const bool has_gaps = std::any_of(spec_.axes.begin(), spec_.axes.end(), [&](int axis) {
    return stored_length(axis, true) != whole_length(axis, true);
  });
  if (!has_gaps) return;
  stream_.clear(memory, static_cast<std::size_t>(lies.elements * bytes_of(spec_.source.element)));
}

void DevicePass::move(CopyList::Way way, const Box& tile, const Strides& stride, std::byte* memory,
                      const PassRun& run) const {
  const bool gathers = way == CopyList::Way::from_view;
  const PassSide& side = gathers ? spec_.source : spec_.sink;
  const CopyElement type = side.element;
  const detail::PointFunction& function = gathers ? on_input(run) : on_output(run);
  const double scale = gathers ? 1 : spec_.scale;
  const auto apply = [&](const ArrayView& view, const Part& part) {
    for_each_block(part.box, part.block, type, [&](const Box& box, const MutableBlock& in_tile) {
      const MutableBlock in_view{view.address(box, run.addresses, type), view.stride};
      const MutableBlock& to = gathers ? in_tile : in_view;
      const MutableBlock& from = gathers ? in_view : in_tile;
      run.callbacks.apply(
          function, {box, to.data, to.stride, bytes_of(type), scale, {from.data, from.stride}},
          view);
    });
  };
  const Box whole = gathers ? tiles_.before(tile) : tiles_.after(tile);
  const MessageCodec* const only = gathers ? nullptr : run.only;
  moves_.begin(type, run.addresses);
  for_each_view(side, whole, only, [&](const ArrayView& view, const Box& common) {
    for_each_part(common, tile, gathers, {memory, stride}, [&](const Part& part) {
      if (function) return apply(view, part);
      moves_.move(way, view, part.box, part.block, side.order);
    });
  });
  moves_.run(stream_, scale);
}

void DevicePass::run_tile(Index number, const PassRun& run, PartTimes::Watch& watch) const {
  std::byte* const scratch = run.scratch;
  const Box tile = tiling_.box(number);
  const CopyElement result = spec_.sink.element;
  const Planned& planned = TileGeometry::planned_for(tile, planned_);
  const std::byte* in = scratch;
  std::byte* out = scratch + planned.transformed_at;
  FusedSides fused;
  if (source_pieces_) {
    in = nullptr;
    enter_addresses(*source_pieces_, true, tiles_.before(tile), run, spec_.source.element,
                    source_addresses_);
    fused.input.pieces = source_addresses_;
  } else if (direct_source_) {
    in = spec_.source.views[0].address(tiles_.before(tile), run.addresses, spec_.source.element);
  } else {
    clear_gaps(planned.gathered, scratch);
    move(CopyList::Way::from_view, tile, planned.gathered.stride, scratch, run);
    watch.lap(part_of_source(spec_.source));
  }
  const Box after = tiles_.after(tile);
  if (sink_pieces_) {
    out = nullptr;
    enter_addresses(*sink_pieces_, false, after, run, result, sink_addresses_);
    fused.output.pieces = sink_addresses_;
  } else if (direct_sink_) {
    out = spec_.sink.views[0].address(after, run.addresses, result);
  }
  if (direct_source_ && on_input(run)) {
    fused.input = fused_side(run.callbacks, on_input(run), tiles_.before(tile), spec_.source);
  }
  if (direct_sink_ && on_output(run)) {
    fused.output = fused_side(run.callbacks, on_output(run), after, spec_.sink);
    if (!planned.transform->fuses(fused)) fused.output = {};
  }
  if (planned.transform) {
    planned.transform->execute_fused(in, out, scratch + planned.work_at, fused);
    watch.lap(&StageParts::transform);
  }
  if (!direct_sink_) {
    move(CopyList::Way::to_view, tile, planned.transformed.stride, out, run);
    watch.lap(part_of_sink(spec_.sink));
  } else if (on_output(run) && fused.output.function == nullptr) {
    const ArrayView& sink = spec_.sink.views[0];
    run.callbacks.apply(on_output(run), {after, out, sink.stride, bytes_of(result)}, sink);
    watch.lap(&StageParts::callback);
  }
}

void DevicePass::run(const PassRun& run) const {
  if (spec_.is_empty()) return;
  if (with_copies_ && !takes(run)) return with_copies_->run(run);
  PartTimes::Watch watch(run.parts);
  if (spec_.axes.empty() && !spec_.is_between_messages()) return copy(run, watch);
  for (Index tile = 0; tile < tiling_.count(); ++tile) run_tile(tile, run, watch);
}

}  // namespace weft
