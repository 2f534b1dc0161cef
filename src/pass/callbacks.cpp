#include "pass/callbacks.hpp"

#include <algorithm>

#include "geometry/cursor.hpp"

namespace weft {

void CallbackFailure::keep(std::exception_ptr exception) {
  if (!happened_.exchange(true)) exception_ = std::move(exception);
}

Point Callbacks::point_at(const Extents& at, const ArrayView& array) const {
  Point point;
  for (int axis = 0; axis < axes; ++axis) point.index.push_back(at[axis]);
  point.field = first_field + (at.size() > axes ? at[axes] : 0);
  point.offset = array.offset + position_in(array.box, array.stride, at);
  return point;
}

void Callbacks::apply(const detail::PointFunction& function, const Numbers& numbers,
                      const ArrayView& array) const {
  if (numbers.box.empty() || failure->happened()) return;
  if (on_host(*stream) && !function.takes_blocks()) {
    return apply_to_lines(function, numbers, array);
  }
  try {
    stream->apply(function, block_of(numbers, array));
  } catch (...) {
    failure->keep(std::current_exception());
  }
}

PointBlock Callbacks::block_of(const Numbers& numbers, const ArrayView& array) const {
  const Box& box = numbers.box;
  const bool moves = numbers.from.data != nullptr;
  PointBlock block;
  block.to = numbers.values;
  block.from = moves ? numbers.from.data : numbers.values;
  block.first = point_at(box.lower, array);
  block.scale = numbers.scale;
  const Strides& from = moves ? numbers.from.stride : numbers.stride;
  int count = 0;
  for (int axis = 0; axis < box.axes(); ++axis) {
    if (box.extent(axis) == 1) continue;
    block.loops[count++] = {box.extent(axis), numbers.stride[axis], from[axis], array.stride[axis],
                            axis};
  }
  std::sort(block.loops, block.loops + count,
            [](const PointBlock::Loop& a, const PointBlock::Loop& b) { return a.to < b.to; });
  block.loop_count = std::max(count, 1);
  return block;
}

void Callbacks::apply_to_lines(const detail::PointFunction& function, const Numbers& numbers,
                               const ArrayView& array) const {
  const Box& box = numbers.box;
  int along = 0;
  for (int axis = 1; axis < axes; ++axis) {
    if (box.extent(axis) == 1) continue;
    if (box.extent(along) == 1 || numbers.stride[axis] < numbers.stride[along]) along = axis;
  }
  PointLine line{
      numbers.values, numbers.stride[along], box.extent(along), point_at(box.lower, array),
      along,          array.stride[along],   numbers.scale};
  Axes<Cursor<2>::Loop> loops;  // over lines: from the first one, in memory and in the array
  for (int axis = 0; axis < box.axes(); ++axis) {
    loops.push_back({axis == along ? 1 : box.extent(axis),
                     {numbers.stride[axis] * numbers.element_bytes, array.stride[axis]}});
  }
  const Point first = line.first;
  for (Cursor<2> at(loops); !at.is_end() && !failure->happened(); at.advance()) {
    line.values = numbers.values + at[0];
    line.first.offset = first.offset + at[1];
    for (int axis = 0; axis < axes; ++axis)
      line.first.index[axis] = first.index[axis] + at.at()[axis];
    if (axes < box.axes()) line.first.field = first.field + at.at()[axes];
    try {
      function(line);
    } catch (...) {
      failure->keep(std::current_exception());
    }
  }
}

void check_function(const detail::PointFunction& function, Device& device) {
  if (!device.info().is_host && function.device_calls() == nullptr) {
    throw Error(
        "the callback is a function of the host: a plan on a device needs one made by "
        "weft::device_function");
  }
  device.load(function);
}

}  // namespace weft
