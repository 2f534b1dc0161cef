#include "pass/piece_views.hpp"

#include <algorithm>

namespace weft {

namespace {

/// The axis along which views are less than the whole; -1 where there is none, or several.
int cut_axis(const std::vector<const ArrayView*>& views, const Box& whole) {
  int cut = -1;
  for (const ArrayView* view : views) {
    const Box part = intersection(view->box, whole);
    for (int axis = 0; axis < whole.axes(); ++axis) {
      if (part.extent(axis) == whole.extent(axis)) continue;
      if (cut >= 0 && cut != axis) return -1;
      cut = axis;
    }
  }
  return cut;
}

Index bytes_of_element(const ArrayView& view, CopyElement element) {
  return view.is_encoded() ? bytes_of(element) / 2 : bytes_of(element);
}

/// Of the first element of a part.
std::byte* address_of(const ArrayView& view, const Box& part, const PassRun& run,
                      CopyElement element) {
  const Box common = intersection(view.box, part);
  return view.base(run.addresses) +
         (view.offset + position_in(view.box, view.stride, common.lower)) *
             bytes_of_element(view, element);
}

}  // namespace

std::optional<PieceViews> piece_views(const PassSide& side, const Box& whole,
                                      const AxisList& axes) {
  PieceViews pieces;
  if (!side.has_messages() || whole.empty()) return std::nullopt;
  for (const ArrayView& view : side.views) {
    if (!view.is_message()) return std::nullopt;
    if (!intersection(view.box, whole).empty()) pieces.views.push_back(&view);
  }
  if (pieces.views.empty()) return std::nullopt;
  pieces.axis = pieces.views.size() == 1 ? axes[0] : cut_axis(pieces.views, whole);
  if (pieces.axis < 0 || !axes.contains(pieces.axis)) return std::nullopt;
  const int cut = pieces.axis;
  std::sort(pieces.views.begin(), pieces.views.end(),
            [cut](const ArrayView* a, const ArrayView* b) {
              return a->box.lower[cut] < b->box.lower[cut];
            });
  Index end = whole.lower[cut];
  for (const ArrayView* view : pieces.views) {
    if (view->box.lower[cut] != end) return std::nullopt;
    end = view->box.upper[cut];
  }
  if (end != whole.upper[cut]) return std::nullopt;
  std::vector<const MessageCodec*> codecs;
  for (const ArrayView* view : pieces.views) {
    if (std::find(codecs.begin(), codecs.end(), view->encoding) == codecs.end()) {
      codecs.push_back(view->encoding);
    }
  }
  pieces.codecs = static_cast<int>(codecs.size());
  return pieces;
}

bool suit_transforms(const PieceViews& pieces, const PassRun& run, CopyElement element) {
  return std::all_of(pieces.views.begin(), pieces.views.end(), [&](const ArrayView* view) {
    if (view->is_encoded() &&
        !has_codes_of_half_size(*view->encoding->codec->format(), element.precision)) {
      return false;
    }
    const std::byte* const address = address_of(*view, view->box, run, element);
    return reinterpret_cast<std::uintptr_t>(address) %
               static_cast<std::uintptr_t>(bytes_of_element(*view, element)) ==
           0;
  });
}

void enter_addresses(const PieceViews& pieces, bool input, const Box& part, const PassRun& run,
                     CopyElement element, std::vector<FusedSides::Piece>& addresses) {
  addresses.clear();
  for (const ArrayView* view : pieces.views) {
    const bool skipped = !input && run.only != nullptr && view->encoding != run.only;
    addresses.push_back({skipped ? nullptr : address_of(*view, part, run, element),
                         view->is_encoded(),
                         !input && view->is_measured() ? view->encoding->sums : nullptr});
  }
}

}  // namespace weft
