#include "verify/line_pieces.hpp"

#include <algorithm>

namespace weft {

void LinePieces::cut(Index wanted) {
  Index lines = 1;
  for (const Loop& loop : across) lines *= loop.count;
  if (lines * along.count == 0) {
    count = 0;
    return;
  }
  const Index pieces = std::clamp<Index>((wanted + lines - 1) / lines, 1, along.count);
  piece = (along.count + pieces - 1) / pieces;
  count = lines * ((along.count + piece - 1) / piece);
}

LinePieces LinePieces::part(Index begin, Index end) const {
  LinePieces part = *this;
  part.along.count = end - begin;
  part.position += begin * along.stride;
  part.number += begin * along.number;
  return part;
}

int axis_of_lines(const LocalArray& array) {
  int chosen = 0;
  for (int axis = 1; axis < array.box.axes(); ++axis) {
    const Index longer = array.box.extent(axis) - array.box.extent(chosen);
    if (longer > 0 || (longer == 0 && array.strides[axis] < array.strides[chosen])) chosen = axis;
  }
  return chosen;
}

LinePieces lines_of(const LocalArray& array, const Extents& shape, Index batch) {
  const Box& box = array.box;
  const int chosen = axis_of_lines(array);
  LinePieces lines;
  lines.position = array.offset;
  Index number = 1;
  for (int axis = box.axes() - 1; axis >= 0; --axis) {
    const LinePieces::Loop loop{box.extent(axis), array.strides[axis], number};
    (axis == chosen ? lines.along : lines.across[lines.across_count++]) = loop;
    lines.number += box.lower[axis] * number;
    number *= shape[axis];
  }
  if (batch > 1) lines.across[lines.across_count++] = {batch, array.strides[box.axes()], number};
  return lines;
}

}  // namespace weft
