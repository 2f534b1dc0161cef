#pragma once

#include "weft/axes.hpp"

namespace weft {

/// An axis of a copy: elements, and distances in elements on both sides.
struct CopyLoop {
  Index count;
  Index to;
  Index from;
};

/// Whether there is nothing to copy.
bool is_empty(const Extents& extents);

/// The axes of a copy with more than one element: slowest in the target first, and neighbors that
/// are contiguous on both sides merged into one.
Axes<CopyLoop> ordered_loops(const Extents& extents, const Strides& to, const Strides& from);

}  // namespace weft
