#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// Half-open index range [lower, upper) per axis of the global array. May be empty.
struct Box {
  Extents lower;  ///< first coordinate along each axis
  Extents upper;  ///< one past the last

  /// Whether all coordinates are equal.
  friend bool operator==(const Box& a, const Box& b) = default;

  int axes() const { return lower.size(); }                           ///< number of axes
  Index extent(int axis) const { return upper[axis] - lower[axis]; }  ///< length along an axis
  Extents extents() const;                                            ///< lengths along all axes
  Index count() const;                                                ///< number of points
  bool empty() const;                                                 ///< whether there is no point
};

/// The box [0, shape).
Box whole(const Extents& shape);
/// A box of no points.
Box empty_box(int axes);
/// Common points of both boxes; an empty box where there are none.
Box intersection(const Box& a, const Box& b);
/// Whether every point of `inner` is in `outer`.
bool contains(const Box& outer, const Box& inner);
/// The box as text: "[0,4)x[2,8)".
std::string to_string(const Box& box);

}  // namespace weft
