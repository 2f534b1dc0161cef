#pragma once

#include <cmath>
#include <span>
#include <string>

#include "weft/error.hpp"

namespace weft {

/// Throws Error unless there is a positive length of the box for each axis.
inline void check_box_lengths(std::span<const double> lengths, int axes) {
  if (static_cast<int>(lengths.size()) != axes) {
    throw Error(std::to_string(lengths.size()) + " lengths of the box are given, the array has " +
                std::to_string(axes) + " axes");
  }
  for (int axis = 0; axis < axes; ++axis) {
    const double length = lengths[static_cast<std::size_t>(axis)];
    if (length > 0 && std::isfinite(length)) continue;
    throw Error("length " + std::to_string(length) + " of the box along axis " +
                std::to_string(axis) + ": must be positive and finite");
  }
}

}  // namespace weft
