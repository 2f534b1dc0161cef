#pragma once

#include <optional>

#include "geometry/cursor.hpp"
#include "local/local_transform.hpp"

namespace weft {

/// What one call of a library with cuFFT's advanced layout can do: element (x, y, z) of transform b
/// is b * distance + ((x * embed[1] + y) * embed[2] + z) * stride elements from the first one; the
/// last axis is the one that real transforms halve. What is left of the batch are loops of calls.
struct AdvancedLayout {
  struct Side {
    Extents embed;  ///< of the slowest axis: its points
    Index stride = 1;
    Index distance = 0;

    /// Between neighbors along an axis.
    Index axis_stride(int axis) const;
  };
  Extents lengths;  ///< 1 to 3, slowest first
  Side in, out;
  Index batch = 1;
  Axes<Cursor<2>::Loop> loops;  ///< over calls: from first elements of all to those of a call

  Index calls() const;
};

/// Nothing where the problem is not one of c2c and r2c of whole axes, where they do not nest in the
/// same order on both sides, and where a call would begin at an odd real number: libraries take
/// real data for pairs.
std::optional<AdvancedLayout> advanced_layout(const LocalProblem& problem);

}  // namespace weft
