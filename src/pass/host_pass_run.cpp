#include <omp.h>

#include <algorithm>

#include "device/alignment.hpp"
#include "device/host_copy.hpp"
#include "pass/encoded_message.hpp"
#include "pass/host_pass.hpp"

namespace weft {

void HostPass::run(const PassRun& run) const {
  const Index tiles = tiling_.count();
  if (tiles == 0) return;
  const int threads = static_cast<int>(std::min<Index>(context_.threads, tiles));
  const Index scratch_each = scratch_bytes() / threads;
  const auto run_one = [&](Index tile, int thread, Watch& watch) {
    const PassRun mine{run.addresses, run.scratch + thread * scratch_each, run.callbacks, nullptr,
                       run.only};
    run_tile(tile, mine, watch);
    if (store_ == Store::streaming) finish_streaming();
    if (thread > 0 || run.progress == nullptr) return;
    run.progress->poll();
    watch.lap(&StageParts::exchange);
  };
  if (threads == 1) {
    // Not as a parallel region of one thread: the transform of a tile may have threads, and for
    // nested regions OpenMP libraries start new ones each time.
    Watch watch(run.parts);
    for (Index tile = 0; tile < tiles; ++tile) run_one(tile, 0, watch);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    Watch watch(run.parts, threads);
    // Cores are seldom equally fast: of 32 of a virtual machine, four took 1.6 times as long as the
    // others.
#pragma omp for schedule(dynamic)
    for (Index tile = 0; tile < tiles; ++tile) run_one(tile, omp_get_thread_num(), watch);
  }
}

void HostPass::read_view(const ArrayView& view, const Box& box, const PassRun& run,
                         const MutableBlock& to) const {
  const CopyElement type = spec_.source.element;
  if (view.is_encoded()) {
    EncodedMessage(*view.encoding->codec, view.box, spec_.source.order)
        .read(box, to, view.base(run.addresses), type, encoding_buffer(run));
  } else {
    copy_block(box.extents(), to, {view.address(box, run.addresses, type), view.stride}, type,
               Store::cached, 1, load_);
  }
}

void HostPass::write_view(const ArrayView& view, const Box& box, const PassRun& run,
                          const ConstBlock& from, double scale, Load load) const {
  const CopyElement type = spec_.sink.element;
  EncodingMeasure measure;
  if (view.is_encoded()) {
    EncodedMessage(*view.encoding->codec, view.box, spec_.sink.order)
        .write(box, from, view.base(run.addresses), type, scale, encoding_buffer(run), measure);
  } else {
    copy_block(box.extents(), {view.address(box, run.addresses, type), view.stride}, from, type,
               store_, scale, load);
    if (!view.is_measured()) return;
    measure.squared_norm = scale * scale * squared_norm(box.extents(), from, type);
  }
  const bool faint = is_faint(measure.squared_norm, box.extents(), from, type);
#pragma omp critical(weft_encoding_measure)
  {
    view.encoding->measure += measure;
    view.encoding->faint = view.encoding->faint || faint;
  }
}

void HostPass::copy_tile(const Box& tile, const PassRun& run, Watch& watch) const {
  const CopyElement type = spec_.source.element;
  for_each_view(spec_.source, tile, nullptr, [&](const ArrayView& from, const Box& readable) {
    for_each_view(spec_.sink, readable, run.only, [&](const ArrayView& to, const Box& common) {
      if (from.is_encoded()) {
        read_view(from, common, run, {to.address(common, run.addresses, type), to.stride});
        watch.lap(part_of_source(from));
      } else {
        write_view(to, common, run, {from.address(common, run.addresses, type), from.stride}, 1,
                   load_);
        watch.lap(from.is_message() ? part_of_source(from) : part_of_sink(to));
      }
    });
  });
}

void HostPass::gather(const Box& box, const PassRun& run, std::byte* tile, Watch& watch) const {
  const Index bytes = bytes_of(spec_.source.element);
  for_each_view(spec_.source, box, nullptr, [&](const ArrayView& view, const Box& common) {
    const Index position = position_in(box, gathered_.stride, common.lower);
    read_view(view, common, run, {tile + position * bytes, gathered_.stride});
    watch.lap(part_of_source(view));
  });
  if (on_input(run)) {
    run.callbacks.apply(on_input(run), {box, tile, gathered_.stride, bytes}, spec_.source.views[0]);
    watch.lap(&StageParts::callback);
  }
}

void HostPass::scatter(const Box& box, const PassRun& run, std::byte* tile, Watch& watch) const {
  const Index bytes = bytes_of(spec_.sink.element);
  double scale = spec_.scale;
  if (on_output(run)) {
    run.callbacks.apply(on_output(run), {box, tile, transformed_.stride, bytes, scale},
                        spec_.sink.views[0]);
    watch.lap(&StageParts::callback);
    scale = 1;
  }
  for_each_view(spec_.sink, box, run.only, [&](const ArrayView& view, const Box& common) {
    const Index position = position_in(box, transformed_.stride, common.lower);
    write_view(view, common, run, {tile + position * bytes, transformed_.stride}, scale,
               Load::cached);
    watch.lap(part_of_sink(view));
  });
}

void HostPass::run_tile(Index number, const PassRun& run, Watch& watch) const {
  const Box tile = tiling_.box(number);
  std::byte* const transformed =
      run.scratch + (in_place_ ? 0 : gathered_.bytes(spec_.source.element));
  if (spec_.axes.empty()) {
    if (!on_input(run) && !on_output(run) && !spec_.is_between_messages()) {
      return copy_tile(tile, run, watch);
    }
    gather(tile, run, run.scratch, watch);
    return scatter(tile, run, run.scratch, watch);
  }
  const Box before = tiles_.before(tile);
  const Box after = tiles_.after(tile);
  const ArrayView& source = spec_.source.views[0];
  const ArrayView& sink = spec_.sink.views[0];
  const Planned& planned = TileGeometry::planned_for(tile, transforms_);
  const bool same_array = source.base(run.addresses) == sink.base(run.addresses);
  const bool to_memory = direct_sink_ && store_ == Store::streaming;
  const bool between_tiles = to_memory && on_output(run);
  const bool from_source =
      direct_source_ && !between_tiles && !(direct_sink_ && same_array) && !on_input(run);
  const bool to_sink = direct_sink_ && !between_tiles;
  const std::byte* in = run.scratch;
  if (from_source) {
    in = source.address(before, run.addresses, spec_.source.element);
  } else {
    gather(before, run, run.scratch, watch);
  }
  std::byte* out = to_sink ? sink.address(after, run.addresses, spec_.sink.element) : transformed;
  const auto& transform = between_tiles ? planned.between_tiles
                          : from_source ? planned.from_source
                                        : planned.from_gathered;
  transform->execute(in, out, transform_work(run));
  watch.lap(&StageParts::transform);
  if (!to_sink) {
    scatter(after, run, transformed, watch);
  } else if (on_output(run)) {
    run.callbacks.apply(on_output(run), {after, out, sink.stride, bytes_of(spec_.sink.element)},
                        sink);
    watch.lap(&StageParts::callback);
  }
}

}  // namespace weft
