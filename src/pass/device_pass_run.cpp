#include <algorithm>

#include "kind/kind.hpp"
#include "kind/modes.hpp"
#include "pass/device_pass.hpp"

namespace weft {

const DevicePass::Planned& DevicePass::planned_for(const Box& tile) const {
  const Extents shape = tile.extents();
  return *std::find_if(planned_.begin(), planned_.end(),
                       [&](const Planned& planned) { return planned.shape == shape; });
}

/// Calls work(part) for the parts of a stored box that lie together in a tile, but for a gap along
/// the fastest axis of messages. Only along axes with kept modes are there two.
template <class Work>
void DevicePass::for_each_part(const Box& box, const Box& tile, bool input,
                               const MutableBlock& lies, Work&& work) const {
  const PassSide& side = input ? spec_.source : spec_.sink;
  const Index bytes = tiles_.element_bytes(side.complex);
  AxisList cut_axes;  // of which not all elements are stored
  const auto begin_of = [&](int axis) {
    const Index stored = stored_length(axis, input);
    return is_physical(input) ? stored : split_modes(context_.problem.kinds[axis], stored).begin;
  };
  const auto gap_of = [&](int axis) {
    return whole_length(axis, input) - stored_length(axis, input);
  };
  int gap_axis = -1;
  unsigned choices = 1;
  for (int axis : spec_.axes) {
    if (gap_of(axis) == 0) continue;
    if (axis == side.order.back()) {
      gap_axis = axis;
    } else {
      cut_axes.push_back(axis);
      choices *= 2;
    }
  }
  for (unsigned choice = 0; choice < choices; ++choice) {
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
    part.block.block.data += position * bytes;
    work(part);
  }
}

const detail::PointFunction& DevicePass::on_input(const PassRun& run) const {
  static const detail::PointFunction absent;
  return spec_.reads_input ? run.callbacks.functions.input : absent;
}

const detail::PointFunction& DevicePass::on_output(const PassRun& run) const {
  static const detail::PointFunction absent;
  return spec_.writes_result ? run.callbacks.functions.output : absent;
}

/// From arrays to arrays, from messages to an array, or from an array to messages.
void DevicePass::copy(const PassRun& run) const {
  const CopyElement type = tiles_.element(spec_.source.complex);
  moves_.clear();
  for (const ArrayView& from : spec_.source.views) {
    const Box readable = intersection(spec_.before, from.box);
    if (readable.empty()) continue;
    for (const ArrayView& to : spec_.sink.views) {
      const Box common = intersection(readable, to.box);
      if (common.empty() || (run.only != nullptr && to.encoding != run.only)) continue;
      moves_.copy(from, to, common, spec_.source.order, spec_.sink.order, type, run.addresses);
    }
  }
  moves_.run(stream_, type, spec_.scale);
}

void DevicePass::copy_with_functions(const PassRun& run) const {
  const CopyElement type = tiles_.element(spec_.source.complex);
  const Index bytes = bytes_of(type);
  moves_.clear();
  for (const ArrayView& from : spec_.source.views) {
    if (!from.is_encoded()) continue;
    const ArrayView& to = spec_.sink.views[0];
    const Box common = intersection(spec_.before, from.box);
    if (!common.empty()) {
      moves_.copy(from, to, common, spec_.source.order, spec_.sink.order, type, run.addresses);
    }
  }
  moves_.run(stream_, type, 1);
  for (const ArrayView& from : spec_.source.views) {
    for (const ArrayView& to : spec_.sink.views) {
      const Box common = intersection(intersection(spec_.before, from.box), to.box);
      if (common.empty()) continue;
      Callbacks::Numbers numbers{common, to.address(common, run.addresses, bytes), to.stride,
                                 bytes};
      if (!from.is_encoded()) {
        numbers.from = {from.address(common, run.addresses, bytes), from.stride};
      }
      if (on_input(run)) {
        run.callbacks.apply(on_input(run), numbers, from);
        numbers.from = {};
      }
      if (on_output(run)) run.callbacks.apply(on_output(run), numbers, to);
    }
  }
}

void DevicePass::gather(const Box& tile, const TileMemory& lies, std::byte* memory,
                        const PassRun& run) const {
  const PassSide& side = spec_.source;
  const CopyElement type = tiles_.element(side.complex);
  moves_.clear();
  const bool incomplete = std::any_of(spec_.axes.begin(), spec_.axes.end(), [&](int axis) {
    return stored_length(axis, true) != whole_length(axis, true);
  });
  if (incomplete) {
    const Index bytes = lies.elements * tiles_.element_bytes(side.complex);
    stream_.clear(memory, static_cast<std::size_t>(bytes));
  }
  const Box box = tiles_.before(tile);
  for (const ArrayView& view : side.views) {
    const Box common = intersection(box, view.box);
    if (common.empty()) continue;
    for_each_part(common, tile, true, {memory, lies.stride}, [&](const Part& part) {
      if (!on_input(run)) {
        moves_.read(view, part.box, part.block, side.order, type, run.addresses);
        return;
      }
      for_each_block(part.box, part.block, type, [&](const Box& some, const MutableBlock& to) {
        const ConstBlock from{view.address(some, run.addresses, bytes_of(type)), view.stride};
        run.callbacks.apply(on_input(run), {some, to.data, to.stride, bytes_of(type), 1, from},
                            view);
      });
    });
  }
  moves_.run(stream_, type, 1);
}

void DevicePass::scatter(const Box& tile, const TileMemory& lies, std::byte* memory,
                         const PassRun& run) const {
  const PassSide& side = spec_.sink;
  const CopyElement type = tiles_.element(side.complex);
  moves_.clear();
  const Box box = tiles_.after(tile);
  for (const ArrayView& view : side.views) {
    const Box common = intersection(box, view.box);
    if (common.empty() || (run.only != nullptr && view.encoding != run.only)) continue;
    for_each_part(common, tile, false, {memory, lies.stride}, [&](const Part& part) {
      if (!on_output(run)) {
        moves_.write(view, part.box, part.block, side.order, type, run.addresses);
        return;
      }
      for_each_block(part.box, part.block, type, [&](const Box& some, const MutableBlock& from) {
        run.callbacks.apply(on_output(run),
                            {some,
                             view.address(some, run.addresses, bytes_of(type)),
                             view.stride,
                             bytes_of(type),
                             spec_.scale,
                             {from.data, from.stride}},
                            view);
      });
    });
  }
  moves_.run(stream_, type, spec_.scale);
}

void DevicePass::run_tile(Index number, const PassRun& run) const {
  std::byte* const scratch = run.scratch;
  const Box tile = tiling_.box(number);
  const Index source_bytes = tiles_.element_bytes(spec_.source.complex);
  const Index sink_bytes = tiles_.element_bytes(spec_.sink.complex);
  const Planned& planned = planned_for(tile);
  const std::byte* in = scratch;
  std::byte* out = in_place_ ? scratch : scratch + gathered_bytes(planned);
  std::byte* const work = scratch + gathered_bytes(planned) + transformed_bytes(planned);
  if (direct_source_) {
    in = spec_.source.views[0].address(tiles_.before(tile), run.addresses, source_bytes);
  } else {
    gather(tile, planned.gathered, scratch, run);
  }
  const Box after = tiles_.after(tile);
  if (direct_sink_) out = spec_.sink.views[0].address(after, run.addresses, sink_bytes);
  if (planned.transform) planned.transform->execute(in, out, work);
  if (!direct_sink_) {
    scatter(tile, planned.transformed, out, run);
  } else if (on_output(run)) {
    const ArrayView& sink = spec_.sink.views[0];
    run.callbacks.apply(on_output(run), {after, out, sink.stride, sink_bytes}, sink);
  }
}

void DevicePass::run(const PassRun& run) const {
  if (spec_.before.empty() && spec_.after.empty()) return;
  if (spec_.axes.empty() && !through_tile_) {
    return on_input(run) || on_output(run) ? copy_with_functions(run) : copy(run);
  }
  for (Index tile = 0; tile < tiling_.count(); ++tile) run_tile(tile, run);
}

}  // namespace weft
