#pragma once

#include <weft/weft.hpp>

namespace poisson {

/// Calls work(index in the global array, offset in memory) for every point that this rank owns.
template <class Work>
void for_each_point(const weft::LocalArray& array, Work&& work) {
  if (array.box.empty()) return;
  const int axes = array.box.axes();
  weft::Extents index = array.box.lower;
  weft::Index offset = array.offset;
  for (int axis = 0; axis >= 0;) {
    work(static_cast<const weft::Extents&>(index), offset);
    // To the next point in C order: back to the start of every axis that has come to its end.
    for (axis = axes - 1; axis >= 0; --axis) {
      offset += array.strides[axis];
      if (++index[axis] < array.box.upper[axis]) break;
      offset -= array.box.extent(axis) * array.strides[axis];
      index[axis] = array.box.lower[axis];
    }
  }
}

}  // namespace poisson
