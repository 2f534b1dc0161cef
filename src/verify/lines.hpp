#pragma once

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
  for (Index field = 0; field < batch; ++field) {
    const Index field_offset = batch > 1 ? field * array.strides[box.axes()] : 0;
    Extents at = box.lower;
    while (true) {
      Index position = array.offset + field_offset;
      for (int axis = 0; axis < last; ++axis) {
        position += (at[axis] - box.lower[axis]) * array.strides[axis];
      }
      visit(field, at, position);
      int axis = last - 1;
      while (axis >= 0 && ++at[axis] == box.upper[axis]) {
        at[axis] = box.lower[axis];
        --axis;
      }
      if (axis < 0) break;
    }
  }
}

}  // namespace weft
