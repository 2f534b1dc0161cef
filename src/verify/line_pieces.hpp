#pragma once

#include "weft/arrays.hpp"

namespace weft {

/// What this rank owns of an array as lines along one axis, cut into pieces that threads share. A
/// plain object, which is passed to kernels.
struct LinePieces {
  /// Elements along an axis of the box, or fields of the batch.
  struct Loop {
    Index count = 1;   ///< how many
    Index stride = 0;  ///< distance between neighbors in memory, in elements
    Index number = 0;  ///< by which the numbers of neighbors differ
  };

  Loop along;                      ///< elements of a line
  Loop across[Extents::capacity];  ///< the other axes; those behind across_count have one element
  int across_count = 0;            ///< how many there are
  Index position = 0;              ///< where the first element lies
  Index number = 0;                ///< its number: elements of the whole array count in C order
  Index piece = 1;                 ///< elements of a piece; the last one of a line may have fewer
  Index count = 0;                 ///< of pieces

  /// Cuts lines so that there are `wanted` pieces, if there are so many elements.
  void cut(Index wanted);
  /// Those whose place along the lines is from `begin` to `end`.
  LinePieces part(Index begin, Index end) const;
};

/// The axis that lines are along: a long one, as their elements need a table that others share.
int axis_of_lines(const LocalArray& array);
LinePieces lines_of(const LocalArray& array, const Extents& shape, Index batch);

}  // namespace weft
