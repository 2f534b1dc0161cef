#pragma once

#include "geometry/cursor.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Calls visit(field, start, position) for every line along the last axis that this rank owns:
/// `start` is the global index of its first point, `position` the element where that lies. Points
/// of a line are array.strides[last] elements apart. Halo and gaps are left out.
template <class Visit>
void for_each_line(const LocalArray& array, Index batch, const Visit& visit) {
  const Box& box = array.box;
  if (box.empty()) return;
  const int last = box.axes() - 1;
  Axes<Cursor<1>::Loop> loops{{batch, {batch > 1 ? array.strides[box.axes()] : 0}}};
  for (int axis = 0; axis < last; ++axis)
    loops.push_back({box.extent(axis), {array.strides[axis]}});
  for (Cursor<1> line(loops); !line.is_end(); line.advance()) {
    Extents start = box.lower;
    for (int axis = 0; axis < last; ++axis) start[axis] += line.at()[1 + axis];
    visit(line.at()[0], start, array.offset + line[0]);
  }
}

}  // namespace weft
