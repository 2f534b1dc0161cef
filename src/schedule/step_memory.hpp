#pragma once

#include "geometry/layout.hpp"

namespace weft {

/// Set of axes: bit a stands for axis a.
using AxisMask = unsigned;

constexpr AxisMask bit(int axis) {
  return axis < 0 ? 0 : AxisMask{1} << axis;
}

/// An array whose axes `transformed` a library for devices is to work on: one call of it knows one
/// loop around its transforms, so that all other axes should be one behind the other in memory, and
/// the slowest of them is the one along which the array can be cut into chunks.
struct StepMemory {
  AxisList order;  ///< slowest first, as the array lies where nothing speaks against it
  Extents extents;
  AxisMask transformed = 0;
  int halved = -1;  ///< its lines are contiguous when it is transformed

  /// Whether the axes that are not transformed can be a single loop.
  bool is_one_loop() const;
  /// The axes along which it may be cut if it has to stay in this order, and if it has not.
  AxisMask cuts() const;
  AxisMask any_cut() const;
  /// An order in which it is one loop, and can be cut along this axis; -1: need not be.
  AxisList order_for(int cut) const;

 private:
  bool in_loop(int axis) const { return extents[axis] > 1 && (transformed & bit(axis)) == 0; }
  int slowest_in_loop() const;
};

}  // namespace weft
