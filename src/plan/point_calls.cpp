#include "plan/point_calls.hpp"

namespace weft {

void PointFailure::keep(std::exception_ptr exception) {
  if (!happened_.exchange(true)) exception_ = std::move(exception);
}

void PointCalls::apply(const PointFunction& function, const BoxOfNumbers& numbers,
                       const Piece& array) const {
  if (numbers.box.empty()) return;
  if (!function.takes_blocks()) return apply_to_lines(function, numbers, array);
  if (failure->happened()) return;
  try {
    function(block_of(numbers, array));
  } catch (...) {
    failure->keep(std::current_exception());
  }
}

PointBlock PointCalls::block_of(const BoxOfNumbers& numbers, const Piece& array) const {
  const Box& box = numbers.box;
  PointBlock block{numbers.values, numbers.stride, box.extents(), {}, first_field, 0,
                   array.stride,   numbers.scale};
  for (int axis = 0; axis < axes; ++axis) block.lower.push_back(box.lower[axis]);
  if (box.axes() > axes) block.first_field += box.lower[axes];
  block.offset = array.offset + position_in(array.box, array.stride, box.lower);
  return block;
}

void PointCalls::apply_to_lines(const PointFunction& function, const BoxOfNumbers& numbers,
                                const Piece& array) const {
  const Box& box = numbers.box;
  int along = 0;
  for (int axis = 1; axis < axes; ++axis) {
    if (box.extent(axis) == 1) continue;
    if (box.extent(along) == 1 || numbers.stride[axis] < numbers.stride[along]) along = axis;
  }
  PointLine line{numbers.values, numbers.stride[along], box.extent(along), {},
                 along,          array.stride[along],   numbers.scale};
  Extents at = box.lower;
  for (;;) {
    if (failure->happened()) return;
    line.values = numbers.values + position_in(box, numbers.stride, at) * numbers.element_bytes;
    line.first.index.clear();
    for (int axis = 0; axis < axes; ++axis) line.first.index.push_back(at[axis]);
    line.first.field = first_field + (box.axes() > axes ? at[axes] : 0);
    line.first.offset = array.offset + position_in(array.box, array.stride, at);
    try {
      function(line);
    } catch (...) {
      failure->keep(std::current_exception());
    }
    int axis = box.axes() - 1;
    for (; axis >= 0; --axis) {
      if (axis == along) continue;
      if (++at[axis] < box.upper[axis]) break;
      at[axis] = box.lower[axis];
    }
    if (axis < 0) return;
  }
}

}  // namespace weft
