#include "weft/box.hpp"

#include <algorithm>

namespace weft {

Extents Box::extents() const {
  Extents result;
  for (int axis = 0; axis < axes(); ++axis) result.push_back(extent(axis));
  return result;
}

bool Box::empty() const {
  for (int axis = 0; axis < axes(); ++axis) {
    if (upper[axis] <= lower[axis]) return true;  // a hostile extent may not fit in 64 bits
  }
  return false;
}

Index Box::count() const {
  return empty() ? 0 : product(extents());
}

Box whole(const Extents& shape) {
  return {Extents::filled(shape.size(), 0), shape};
}

Box empty_box(int axes) {
  return {Extents::filled(axes, 0), Extents::filled(axes, 0)};
}

Box intersection(const Box& a, const Box& b) {
  Box result = a;
  for (int axis = 0; axis < a.axes(); ++axis) {
    result.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    result.upper[axis] = std::min(a.upper[axis], b.upper[axis]);
    if (result.upper[axis] <= result.lower[axis]) return empty_box(a.axes());
  }
  return result;
}

bool contains(const Box& outer, const Box& inner) {
  for (int axis = 0; axis < outer.axes(); ++axis) {
    if (inner.lower[axis] < outer.lower[axis] || inner.upper[axis] > outer.upper[axis]) {
      return false;
    }
  }
  return true;
}

std::string to_string(const Box& box) {
  std::string text;
  for (int axis = 0; axis < box.axes(); ++axis) {
    if (axis > 0) text += 'x';
    text += "[" + std::to_string(box.lower[axis]) + "," + std::to_string(box.upper[axis]) + ")";
  }
  return text;
}

}  // namespace weft
