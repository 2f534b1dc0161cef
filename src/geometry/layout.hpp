#pragma once

#include <string>

#include "geometry/distribution.hpp"
#include "weft/layout_spec.hpp"

namespace weft {

/// Elements from the lower corner of a box to a point, in a block of memory that begins there.
inline Index position_in(const Box& box, const Strides& stride, const Extents& point) {
  Index position = 0;
  for (int axis = 0; axis < box.axes(); ++axis) {
    position += (point[axis] - box.lower[axis]) * stride[axis];
  }
  return position;
}

/// How a box lies in memory: element (i) of the box is at
/// offset + sum over axes of (i[a] - box.lower[a]) * stride[a] elements from the data pointer.
struct View {
  Box box;
  Strides stride;
  Index offset = 0;
  Index size = 0;  ///< elements from the data pointer to the end of the allocation

  Index position(const Extents& point) const { return offset + position_in(box, stride, point); }
};

/// Memory order, halo or explicit strides: what is needed to turn a box into a View.
struct Memory {
  AxisList order;  ///< slowest first
  Extents halo_lower;
  Extents halo_upper;
  Strides strides;  ///< empty unless given by the user

  View view(const Box& box) const;
  /// The same order without gaps.
  Memory dense() const;
  /// The same without gaps on all ranks: explicit strides, which may differ between them, stand for
  /// the natural order.
  Memory common() const;
};

/// Which box each rank owns, and how it lies in that rank's memory.
struct Layout {
  Distribution distribution;
  Memory memory;
};

/// What the resolution of a LayoutSpec depends on.
struct LayoutContext {
  Extents shape;  ///< of the array this layout holds, without the batch
  Index batch = 1;
  bool interleaved = false;  ///< batch is the fastest axis in memory, otherwise the slowest
  Index ranks = 1;
  Index rank = 0;        ///< whose explicit strides these are
  int halved_axis = -1;  ///< axis of the r2c kind, if any
};

/// Checks the specification and turns it into a Layout; with batch > 1 that has one axis more.
/// `name` is "input" or "output", for error messages. own_box must have been replaced by boxes
/// before.
Layout resolve(const LayoutSpec& spec, const LayoutContext& context, const std::string& name);

/// Throws Error where strides are not positive or elements of the box would share memory.
void check_strides(const Box& box, const Strides& strides, const std::string& name);

/// 0, 1, ..., axes-1
AxisList natural_order(int axes);

}  // namespace weft
