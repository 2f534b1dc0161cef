#pragma once

#include <optional>
#include <vector>

#include "pass/array_view.hpp"
#include "pass/pass.hpp"

namespace weft {

/// Messages that cut one side of a pass along an axis that it transforms, so that the transform can
/// read or write them itself: each has some elements of every line.
struct PieceViews {
  int axis = 0;
  std::vector<const ArrayView*> views;  ///< in the order of the axis, none of them empty
  int codecs = 1;                       ///< each sums up what became of its messages
};

/// Those of a side with these elements; nothing where its views cut it in another way.
std::optional<PieceViews> piece_views(const PassSide& side, const Box& whole, const AxisList& axes);

/// Whether transforms can read, or write, the messages in this run: all are as long as the numbers,
/// or half as long, and at addresses that suit those.
bool suit_transforms(const PieceViews& pieces, const PassRun& run, CopyElement element);

/// Where the pieces of a part of the input or output are in a run; there is room for all.
void enter_addresses(const PieceViews& pieces, bool input, const Box& part, const PassRun& run,
                     CopyElement element, std::vector<FusedSides::Piece>& addresses);

}  // namespace weft
