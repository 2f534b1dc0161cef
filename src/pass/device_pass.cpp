#include "pass/device_pass.hpp"

#include <algorithm>

#include "device/alignment.hpp"
#include "kind/definition.hpp"
#include "kind/kind.hpp"
#include "kind/modes.hpp"
#include "local/advanced_layout.hpp"
#include "local/by_axes.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

/// Calls of the library that do less than this take so long to start, if there are many, that it is
/// better to copy the array into an order for which a few do (H200: 4 to 9 us a call).
constexpr Index least_call_bytes = Index{16} << 20;
constexpr Index few_calls = 16;

}  // namespace

DevicePass::DevicePass(const Context& context, Stream& stream, const PassSpec& spec, bool by_pieces)
    : Pass(spec), context_(context), stream_(stream), tiles_(context, spec_) {
  if (spec.is_empty()) return;
  const std::size_t from = spec.source.views.size(), to = spec.sink.views.size();
  const std::size_t parts = std::size_t{1} << spec.axes.size();
  moves_.reserve(spec.axes.empty() ? from * to : parts * std::max(from, to));
  if (spec.axes.empty()) {
    if (spec.is_between_messages()) try_access(false, false);
    return;
  }
  prunes_itself_ = can_prune();
  if (by_pieces && try_pieces()) {
    with_copies_ = std::unique_ptr<DevicePass>(new DevicePass(context, stream, spec, false));
  } else {
    source_pieces_ = sink_pieces_ = std::nullopt;
    try_access(true, true) || try_access(true, false) || try_access(false, true) ||
        try_access(false, false);
  }
  for (Planned& planned : planned_) {
    planned.transform = make_local(*context_.backend, problem_of(planned));
    work_bytes_ =
        std::max(work_bytes_, aligned_up(static_cast<Index>(planned.transform->work_bytes())));
  }
}

/// Tables of cosine and sine transforms leave out what is not stored; backends may do so too.
bool DevicePass::can_prune() const {
  if (spec_.axes.size() != 1 || !has_fourier_axes()) return spec_.axes.size() == 1;
  const Extents line = Extents::filled(spec_.before.axes(), 1);
  const Strides apart = Strides::filled(line.size(), 2);
  return context_.backend->any_layout &&
         context_.backend->supports(tiles_.local_problem(line, apart, apart, stream_));
}

bool DevicePass::try_pieces() {
  if (!context_.backend->any_layout || tiles_.changes_lengths()) return false;
  source_pieces_ = piece_views(spec_.source, spec_.before, spec_.axes);
  sink_pieces_ = piece_views(spec_.sink, spec_.after, spec_.axes);
  if (source_pieces_) source_addresses_.reserve(source_pieces_->views.size());
  if (sink_pieces_) sink_addresses_.reserve(sink_pieces_->views.size());
  return (source_pieces_ || sink_pieces_) && try_access(true, true);
}

/// Cosine and sine transforms take arrays as they lie, libraries only some.
bool DevicePass::suits(const LocalProblem& problem) const {
  if (context_.backend->any_layout && context_.backend->supports(problem)) return true;
  if (source_pieces_ || sink_pieces_) return false;
  const auto fourier = fourier_part(problem);
  if (!fourier) return true;
  const auto layout = advanced_layout(*fourier);
  if (!layout || !context_.backend->supports(*fourier)) return false;
  const Index calls = layout->calls();
  return calls <= few_calls || spec_.before.count() * bytes_of(spec_.source.element) / calls >=
                                   least_call_bytes * tiling_.count();
}

/// Whether a side can be read or written by the transform itself. Libraries want real numbers to be
/// aligned as complex ones are.
bool DevicePass::may_be_direct(bool input) const {
  const PassSide& side = input ? spec_.source : spec_.sink;
  if (input ? source_pieces_ : sink_pieces_) return true;
  if (!side.is_array_with(input ? spec_.before : spec_.after)) return false;
  if (tiles_.changes_lengths() && !prunes_itself_) return false;
  if (side.element.complex || !spec_.axes.contains(halved_axis(context_.problem.kinds))) {
    return true;
  }
  const ArrayView& view = side.views[0];
  for (Index tile = 0; tile < tiling_.count(); ++tile) {
    const Box box = input ? tiles_.before(tiling_.box(tile)) : tiles_.after(tiling_.box(tile));
    if ((view.offset + position_in(view.box, view.stride, box.lower)) % 2 != 0) return false;
  }
  return true;
}

void DevicePass::choose_tiles(bool one_tile) {
  TilingRequest tiling = tiles_.tiling_request();
  for (int axis : spec_.axes) {
    tiling.region.lower[axis] = 0;
    tiling.region.upper[axis] = 1;
  }
  Index in_points = 1, out_points = 1;
  for (int axis : spec_.axes) {
    in_points *= whole_length(axis, true);
    out_points *= whole_length(axis, false);
  }
  tiling.bytes_per_point =
      in_points * bytes_of(spec_.source.element) + out_points * bytes_of(spec_.sink.element);
  tiling.budget = one_tile ? tiling.bytes_per_point * tiling.region.count() : context_.tile_bytes();
  tiling_ = choose_tiling(tiling);
}

/// Plans with the library at work on the arrays themselves, as far as asked for. False where it
/// cannot, or not well.
bool DevicePass::try_access(bool direct_source, bool direct_sink) {
  if (direct_sink && spec_.scale != 1 && !context_.backend->scales) return false;
  direct_source_ = direct_source;
  direct_sink_ = direct_sink;
  // Several axes with pieces go through memory of the transform.
  const bool through_memory = (source_pieces_ || sink_pieces_) && spec_.axes.size() > 1;
  choose_tiles(direct_source && direct_sink && !through_memory);
  if ((direct_source && !may_be_direct(true)) || (direct_sink && !may_be_direct(false))) {
    return false;
  }
  // Tiles are alike before and after, unless they have but the elements that are stored.
  const bool alike = spec_.source.element.complex == spec_.sink.element.complex &&
                     !(prunes_itself_ && tiles_.changes_lengths());
  in_place_ = !direct_source && !direct_sink && alike;
  const AxisList lines =
      has_fourier_axes() ? transformed_last(spec_.source.order) : spec_.source.order;
  if (direct_source == direct_sink) return plan_tiles(lines);
  // As the other side lies, if possible, so that the copy does not transpose.
  return plan_tiles(spec_.sink.order) || plan_tiles(spec_.source.order) || plan_tiles(lines);
}

bool DevicePass::plan_tiles(const AxisList& order) {
  planned_.clear();
  for (const Extents& shape : tiling_.shapes()) {
    const TileMemory gathered = tile_memory(shape, true, order);
    const TileMemory transformed = tile_memory(shape, false, order);
    const Index gathered_bytes = direct_source_ ? 0 : gathered.bytes(spec_.source.element);
    const Index transformed_bytes =
        direct_sink_ || in_place_ ? 0 : transformed.bytes(spec_.sink.element);
    planned_.push_back({shape, gathered, transformed, in_place_ ? 0 : gathered_bytes,
                        gathered_bytes + transformed_bytes, nullptr});
  }
  // Gathered tiles with their lines one after another suit any library.
  if (!direct_source_ && !direct_sink_) return true;
  return std::all_of(planned_.begin(), planned_.end(),
                     [&](const Planned& planned) { return suits(problem_of(planned)); });
}

LocalProblem DevicePass::problem_of(const Planned& planned) const {
  const auto direct_stride = [](const PassSide& side, const std::optional<PieceViews>& pieces) {
    return pieces ? pieces->views[0]->stride : side.views[0].stride;
  };
  LocalProblem problem = tiles_.local_problem(
      planned.shape,
      direct_source_ ? direct_stride(spec_.source, source_pieces_) : planned.gathered.stride,
      direct_sink_ ? direct_stride(spec_.sink, sink_pieces_) : planned.transformed.stride, stream_);
  if (source_pieces_) tiles_.enter_pieces(*source_pieces_, true, planned.shape, problem);
  if (sink_pieces_) tiles_.enter_pieces(*sink_pieces_, false, planned.shape, problem);
  if (!prunes_itself_) {
    for (LocalAxis& axis : problem.transform) axis.in_points = axis.out_points = 0;
  }
  problem.most_work_bytes = context_.tile_bytes();
  problem.preserve_input = direct_source_ && !spec_.may_destroy_source;
  problem.in_place = in_place_;
  // Otherwise the copy from scratch memory does that.
  if (direct_sink_) problem.scale = spec_.scale;
  return problem;
}

AxisList DevicePass::transformed_last(const AxisList& order) const {
  const auto& kinds = context_.problem.kinds;
  const auto place = [&](int axis) {
    if (!spec_.axes.contains(axis)) return 0;
    if (axis == halved_axis(kinds)) return 3;
    return is_real_kind(kinds[axis]) ? 1 : 2;  // axes that are loops for the library come first
  };
  AxisList result = order;
  std::stable_sort(result.begin(), result.end(), [&](int a, int b) { return place(a) < place(b); });
  return result;
}

bool DevicePass::has_fourier_axes() const {
  return std::any_of(spec_.axes.begin(), spec_.axes.end(),
                     [&](int axis) { return !is_real_kind(context_.problem.kinds[axis]); });
}

Index DevicePass::whole_length(int axis, bool input) const {
  if (prunes_itself_) return stored_length(axis, input);
  const Index length = context_.problem.lengths[axis];
  return is_physical(input) ? length : traits(context_.problem.kinds[axis]).output_length(length);
}

DevicePass::TileMemory DevicePass::tile_memory(const Extents& tile, bool input,
                                               const AxisList& order) const {
  TileMemory memory{Strides::filled(tile.size(), 0), 1};
  for (int i = order.size() - 1; i >= 0; --i) {
    const int axis = order[i];
    memory.stride[axis] = memory.elements;
    memory.elements *= spec_.axes.contains(axis) ? whole_length(axis, input) : tile[axis];
  }
  return memory;
}

/// What is encoded is packed by other kernels, which know no functions.
bool DevicePass::applies_to_input(const detail::PointFunction& function) const {
  if (!spec_.reads_input || spec_.is_empty()) return true;
  if (with_copies_) return with_copies_->applies_to_input(function);
  if (direct_source_) return transforms_apply(function, {});
  return !(spec_.axes.empty() && spec_.sink.has_messages());
}

bool DevicePass::works_in_place() const {
  if (spec_.is_empty()) return true;
  if (with_copies_) return false;
  // A single tile has been gathered whole before anything is written, wherever it lies.
  const bool gathers_all = !direct_source_ && !spec_.axes.empty() && tiling_.count() == 1;
  if (!gathers_all && !tiles_.has_same_positions()) return false;
  if (!direct_source_ || !direct_sink_) return true;
  return std::all_of(planned_.begin(), planned_.end(),
                     [](const Planned& planned) { return planned.transform->works_in_place(); });
}

Index DevicePass::scratch_bytes() const {
  Index tiles = 0;
  for (const Planned& planned : planned_) tiles = std::max(tiles, planned.work_at);
  const Index own = tiles + work_bytes_;
  return with_copies_ ? std::max(own, with_copies_->scratch_bytes()) : own;
}

/// Callbacks on an array that is read must be applied by the transform.
bool DevicePass::takes(const PassRun& run) const {
  if (source_pieces_ && !suit_transforms(*source_pieces_, run, spec_.source.element)) {
    return false;
  }
  if (sink_pieces_ && !suit_transforms(*sink_pieces_, run, spec_.sink.element)) return false;
  const detail::PointFunction& function = on_input(run);
  return !function || transforms_apply(function, run.callbacks);
}

bool DevicePass::transforms_apply(const detail::PointFunction& function,
                                  const Callbacks& callbacks) const {
  const FusedSides fused{fused_side(callbacks, function, spec_.before, spec_.source), {}};
  return fused.input.function != nullptr &&
         std::all_of(planned_.begin(), planned_.end(),
                     [&](const Planned& planned) { return planned.transform->fuses(fused); });
}

}  // namespace weft
