#include "plan/pass.hpp"

#include <omp.h>

#include <algorithm>

#include "device/host_copy.hpp"
#include "device/host_memory.hpp"
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

/// Where a piece begins, but for its offset in elements.
std::byte* base(const Piece& piece, const SlotBases& bases) {
  std::byte* const slot = bases[static_cast<std::size_t>(piece.slot)];
  if (piece.encoding == nullptr || piece.encoding->offsets[piece.message] < 0) return slot;
  return slot + piece.encoding->offsets[piece.message];
}

/// Address of the first element of a box within a piece that is not encoded.
std::byte* address(const Piece& piece, const Box& box, const SlotBases& bases,
                   Index element_bytes) {
  Index position = piece.offset;
  for (int axis = 0; axis < box.axes(); ++axis) {
    position += (box.lower[axis] - piece.box.lower[axis]) * piece.stride[axis];
  }
  return base(piece, bases) + position * element_bytes;
}

bool covers(const Side& side, const Box& box) {
  return side.is_array() && side.pieces[0].encoding == nullptr && contains(side.pieces[0].box, box);
}

bool may_be_encoded(const Side& side) {
  return std::any_of(side.pieces.begin(), side.pieces.end(),
                     [](const Piece& piece) { return piece.encoding != nullptr; });
}

bool is_encoded(const Piece& piece) {
  return piece.encoding != nullptr && piece.encoding->encodes(piece.message);
}

}  // namespace

Pass::Pass(const PassRequest& request) : request_(request) {
  TilingRequest tiling;
  tiling.region = request.before.empty() ? request.before : before_of(request.before);
  tiling.transformed = request.axes;
  tiling.source_order = request.source.order;
  tiling.sink_order = request.sink.order;
  tiling.bytes_per_point =
      element_bytes(request.source.complex) + element_bytes(request.sink.complex);
  // A tile that is transformed in place may be twice as long.
  const bool complex = request.source.complex && request.sink.complex;
  const bool in_place = request.backend->in_place && complex && !request.axes.empty();
  tiling.budget = request.tile_bytes * (in_place ? 2 : 1);
  tiling.threads = request.threads;
  encoded_ = may_be_encoded(request.source) || may_be_encoded(request.sink);
  if (encoded_) {
    const Side& messages = may_be_encoded(request.sink) ? request.sink : request.source;
    tiling.aligned_axis = messages.order.back();
    tiling.alignment = request.alignment;
  }
  tiling_ = choose_tiling(tiling);
  const Index sink_bytes =
      request.after.count() * element_bytes(request.sink.complex) * request.parts;
  store_ = sink_bytes > request.stream_bytes ? Store::streaming : Store::cached;
  if (tiling_.count() == 0) return;
  Box largest = request.before;
  for (int axis = 0; axis < largest.axes(); ++axis) {
    largest.upper[axis] = largest.lower[axis] + tiling_.largest()[axis];
  }
  gathered_ = tile_memory(before_of(largest), request_.source.complex);
  transformed_ = tile_memory(after_of(largest), request_.sink.complex);
  if (request.axes.empty()) return;
  choose_access();
  plan_transforms();
}

Index Pass::element_bytes(bool complex) const {
  return weft::element_bytes(complex, request_.precision);
}

CopyElement Pass::element(bool complex) const {
  return {request_.precision, complex};
}

bool Pass::has_conflicts(const Piece& piece, bool complex) const {
  return std::any_of(request_.axes.begin(), request_.axes.end(), [&](int axis) {
    return piece.box.extent(axis) > 1 && conflicts(piece.stride[axis], element_bytes(complex));
  });
}

bool Pass::suits_transform(const Piece& piece, bool complex) const {
  const auto unit = [&](int axis) { return piece.stride[axis] == 1; };
  if (std::any_of(request_.axes.begin(), request_.axes.end(), unit)) return true;
  // Strided lines side by side, as long as they do not fall on the same places in cache.
  const int axes = piece.stride.size();
  for (int axis = 0; axis < axes; ++axis) {
    if (unit(axis) && !request_.reorder) return !has_conflicts(piece, complex);
  }
  return false;
}

void Pass::choose_access() {
  const bool real_output = !request_.sink.complex;
  // Beyond the caches copies fetch memory faster than transforms do.
  const Index source_bytes = request_.before.count() * element_bytes(request_.source.complex);
  direct_source_ = covers(request_.source, request_.before) &&
                   source_bytes * request_.parts <= request_.stream_bytes &&
                   suits_transform(request_.source.pieces[0], request_.source.complex) &&
                   (!real_output || request_.source_may_be_destroyed);
  direct_sink_ = covers(request_.sink, request_.after) && request_.scale == 1 &&
                 store_ == Store::cached &&
                 !has_conflicts(request_.sink.pieces[0], request_.sink.complex) &&
                 suits_transform(request_.sink.pieces[0], request_.sink.complex);
}

Box Pass::before_of(const Box& tile) const {
  Box box = tile;
  for (int axis : request_.axes) {
    box.lower[axis] = request_.before.lower[axis];
    box.upper[axis] = request_.before.upper[axis];
  }
  return box;
}

Box Pass::after_of(const Box& tile) const {
  Box box = tile;
  for (int axis : request_.axes) {
    box.lower[axis] = request_.after.lower[axis];
    box.upper[axis] = request_.after.upper[axis];
  }
  return box;
}

Pass::TileMemory Pass::tile_memory(const Box& tile, bool complex) const {
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

void Pass::plan_transforms() {
  for (const Extents& shape : tiling_.shapes()) {
    Planned planned{shape, nullptr, nullptr};
    if (direct_source_) planned.from_source = plan_transform(shape, true);
    // Also needed beside a direct source where the user may pass the same array twice.
    if (!direct_source_ || direct_sink_) planned.from_gathered = plan_transform(shape, false);
    transforms_.push_back(std::move(planned));
  }
  // Half the memory stays in cache more easily.
  in_place_ = !direct_source_ && !direct_sink_ &&
              std::all_of(transforms_.begin(), transforms_.end(), [](const Planned& planned) {
                return planned.from_gathered->works_in_place();
              });
}

const Pass::Planned& Pass::planned_for(const Box& tile) const {
  const Extents shape = tile.extents();
  return *std::find_if(transforms_.begin(), transforms_.end(),
                       [&](const Planned& planned) { return planned.shape == shape; });
}

std::unique_ptr<LocalTransform> Pass::plan_transform(const Extents& loops,
                                                     bool direct_source) const {
  const Strides& in = direct_source ? request_.source.pieces[0].stride : gathered_.stride;
  const Strides& out = direct_sink_ ? request_.sink.pieces[0].stride : transformed_.stride;
  LocalProblem problem;
  problem.direction = request_.direction;
  problem.precision = request_.precision;
  problem.rigor = request_.rigor;
  problem.preserve_input = direct_source && !request_.source_may_be_destroyed;
  problem.any_alignment = true;  // tiles of an array may start at any element
  problem.threads = tiling_.count() < request_.threads ? request_.threads : 1;
  // Libraries halve the last axis; the others go from slowest to fastest.
  for (const bool halved : {false, true}) {
    for (int axis : request_.source.order) {
      if (!request_.axes.contains(axis)) continue;
      if (traits(request_.kinds[axis]).real_to_complex != halved) continue;
      problem.transform.push_back({request_.physical[axis], in[axis], out[axis]});
      problem.kinds.push_back(request_.kinds[axis]);
    }
  }
  for (int axis : request_.source.order) {
    if (request_.axes.contains(axis) || loops[axis] == 1) continue;
    problem.batch.push_back({loops[axis], in[axis], out[axis]});
  }
  if (request_.backend->supports(problem)) return request_.backend->make(problem);
  return fallback_backend().make(problem);
}

bool Pass::works_in_place() const {
  if (request_.before.empty() && request_.after.empty()) return true;
  if (!covers(request_.source, request_.before) || !covers(request_.sink, request_.after)) {
    return false;
  }
  // Copies take no detour over scratch memory.
  if (request_.axes.empty()) return false;
  const Piece& from = request_.source.pieces[0];
  const Piece& to = request_.sink.pieces[0];
  const Index from_bytes = element_bytes(request_.source.complex);
  const Index to_bytes = element_bytes(request_.sink.complex);
  if (from.offset * from_bytes != to.offset * to_bytes) return false;
  for (int axis = 0; axis < request_.before.axes(); ++axis) {
    const bool halved = traits(request_.kinds[axis]).real_to_complex;
    if (halved && request_.axes.contains(axis)) {
      // A line of reals and its half spectrum start together and are contiguous.
      if (from.stride[axis] != 1 || to.stride[axis] != 1) return false;
    } else if (from.stride[axis] * from_bytes != to.stride[axis] * to_bytes) {
      return false;
    }
  }
  return true;
}

bool Pass::between_user_arrays() const {
  const auto in = [](const Side& side, Slot slot) {
    return side.is_array() && side.pieces[0].slot == slot;
  };
  return in(request_.source, input_slot) && in(request_.sink, output_slot);
}

Index Pass::bytes() const {
  return request_.before.count() * element_bytes(request_.source.complex) +
         request_.after.count() * element_bytes(request_.sink.complex);
}

Index Pass::scratch_of_tiles() const {
  const bool through_tile =
      !request_.axes.empty() || (may_be_encoded(request_.source) && may_be_encoded(request_.sink));
  if (!through_tile) return 0;
  const auto bytes = [&](const TileMemory& memory, bool complex) {
    return aligned_up(static_cast<std::size_t>(memory.elements * element_bytes(complex)));
  };
  const std::size_t gathered = bytes(gathered_, request_.source.complex);
  const std::size_t transformed = in_place_ ? 0 : bytes(transformed_, request_.sink.complex);
  return static_cast<Index>(gathered + transformed);
}

std::byte* Pass::encoding_buffer(const Run& run) const {
  return run.scratch + scratch_of_tiles();
}

Index Pass::scratch_bytes() const {
  const Index each = scratch_of_tiles() + (encoded_ ? EncodedMessage::buffer_bytes : 0);
  return each * std::min<Index>(request_.threads, tiling_.count());
}

void Pass::run(const SlotBases& bases, std::byte* scratch, MessagePump* pump,
               const Encoding* only) const {
  const Index tiles = tiling_.count();
  if (tiles == 0) return;
  const int threads = static_cast<int>(std::min<Index>(request_.threads, tiles));
  const Index scratch_each = scratch_bytes() / threads;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (Index tile = 0; tile < tiles; ++tile) {
    const int thread = omp_get_thread_num();
    run_tile(tile, {bases, scratch + thread * scratch_each, only});
    if (store_ == Store::streaming) finish_streaming();
    if (thread == 0 && pump != nullptr) pump->poll();
  }
}

void Pass::read_piece(const Piece& piece, const Box& box, const Run& run,
                      const MutableBlock& to) const {
  const CopyElement type = element(request_.source.complex);
  if (is_encoded(piece)) {
    EncodedMessage(*piece.encoding->codec, piece.box, request_.source.order)
        .read(box, to, base(piece, run.bases), type, encoding_buffer(run));
    return;
  }
  const Index bytes = element_bytes(request_.source.complex);
  copy_block(box.extents(), to, {address(piece, box, run.bases, bytes), piece.stride}, type,
             Store::cached);
}

void Pass::write_piece(const Piece& piece, const Box& box, const Run& run, const ConstBlock& from,
                       double scale) const {
  const CopyElement type = element(request_.sink.complex);
  const Index bytes = element_bytes(request_.sink.complex);
  if (piece.encoding == nullptr || piece.encoding->codec == nullptr) {
    copy_block(box.extents(), {address(piece, box, run.bases, bytes), piece.stride}, from, type,
               store_, scale);
    return;
  }
  EncodingMeasure measure;
  if (is_encoded(piece)) {
    EncodedMessage(*piece.encoding->codec, piece.box, request_.sink.order)
        .write(box, from, base(piece, run.bases), type, scale, encoding_buffer(run), measure);
  } else {
    // What is not encoded counts for the relative error all the same.
    copy_block(box.extents(), {address(piece, box, run.bases, bytes), piece.stride}, from, type,
               store_, scale);
    measure.squared_norm = scale * scale * squared_norm(box.extents(), from, type);
  }
  const bool faint = is_faint(measure.squared_norm, box.extents(), from, type);
#pragma omp critical(weft_encoding_measure)
  {
    piece.encoding->measure += measure;
    piece.encoding->faint = piece.encoding->faint || faint;
  }
}

void Pass::copy_tile(const Box& tile, const Run& run) const {
  const Index bytes = element_bytes(request_.source.complex);
  for (const Piece& from : request_.source.pieces) {
    const Box readable = intersection(tile, from.box);
    if (readable.empty()) continue;
    for (const Piece& to : request_.sink.pieces) {
      const Box common = intersection(readable, to.box);
      if (common.empty() || (run.only != nullptr && to.encoding != run.only)) continue;
      if (is_encoded(from)) {
        read_piece(from, common, run, {address(to, common, run.bases, bytes), to.stride});
      } else {
        write_piece(to, common, run, {address(from, common, run.bases, bytes), from.stride}, 1);
      }
    }
  }
}

void Pass::gather(const Box& box, const Run& run, std::byte* tile) const {
  const Index bytes = element_bytes(request_.source.complex);
  for (const Piece& piece : request_.source.pieces) {
    const Box common = intersection(box, piece.box);
    if (common.empty()) continue;
    Index position = 0;
    for (int axis = 0; axis < box.axes(); ++axis) {
      position += (common.lower[axis] - box.lower[axis]) * gathered_.stride[axis];
    }
    read_piece(piece, common, run, {tile + position * bytes, gathered_.stride});
  }
}

void Pass::scatter(const Box& box, const Run& run, const std::byte* tile) const {
  const Index bytes = element_bytes(request_.sink.complex);
  for (const Piece& piece : request_.sink.pieces) {
    const Box common = intersection(box, piece.box);
    if (common.empty() || (run.only != nullptr && piece.encoding != run.only)) continue;
    Index position = 0;
    for (int axis = 0; axis < box.axes(); ++axis) {
      position += (common.lower[axis] - box.lower[axis]) * transformed_.stride[axis];
    }
    write_piece(piece, common, run, {tile + position * bytes, transformed_.stride}, request_.scale);
  }
}

void Pass::run_tile(Index number, const Run& run) const {
  const Box tile = tiling_.box(number);
  const Index source_bytes = element_bytes(request_.source.complex);
  const Index sink_bytes = element_bytes(request_.sink.complex);
  std::byte* const transformed =
      in_place_
          ? run.scratch
          : run.scratch + aligned_up(static_cast<std::size_t>(gathered_.elements * source_bytes));
  if (request_.axes.empty()) {
    if (scratch_of_tiles() == 0) return copy_tile(tile, run);
    gather(tile, run, run.scratch);
    return scatter(tile, run, run.scratch);
  }
  const Box before = before_of(tile);
  const Box after = after_of(tile);
  const Piece& source = request_.source.pieces[0];
  const Piece& sink = request_.sink.pieces[0];
  const Planned& planned = planned_for(tile);
  const bool same_array = run.bases[static_cast<std::size_t>(source.slot)] ==
                          run.bases[static_cast<std::size_t>(sink.slot)];
  const bool from_source = direct_source_ && !(direct_sink_ && same_array);
  const std::byte* in = run.scratch;
  if (from_source) {
    in = address(source, before, run.bases, source_bytes);
  } else {
    gather(before, run, run.scratch);
  }
  std::byte* out = direct_sink_ ? address(sink, after, run.bases, sink_bytes) : transformed;
  (from_source ? planned.from_source : planned.from_gathered)->execute(in, out);
  if (!direct_sink_) scatter(after, run, transformed);
}

}  // namespace weft
