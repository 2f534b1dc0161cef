#pragma once

#include <optional>

#include "local/local_transform.hpp"

namespace weft {

/// What one call of a library with cuFFT's advanced layout can do: element (x, y, z) of transform b
/// is b * distance + ((x * embed[1] + y) * embed[2] + z) * stride elements from the first one; the
/// last axis is the one that real transforms halve. What is left of the batch are loops of calls.
struct NestedLayout {
  struct Side {
    Extents embed;  ///< of the slowest axis: its points
    Index stride = 1;
    Index distance = 0;

    /// Between neighbours along an axis.
    Index axis_stride(int axis) const;
  };
  struct Loop {
    Index count, in_step, out_step;
  };

  Extents lengths;  ///< 1 to 3, slowest first
  Side in, out;
  Index batch = 1;
  Axes<Loop> loops;

  Index calls() const;
  /// visit(in, out) with the distances of each call's first elements from those of all.
  template <class Visit>
  void for_each_call(const Visit& visit) const {
    for (Index number = 0; number < calls(); ++number) {
      Index in_offset = 0, out_offset = 0, rest = number;
      for (int i = loops.size() - 1; i >= 0; --i) {
        const Index position = rest % loops[i].count;
        rest /= loops[i].count;
        in_offset += position * loops[i].in_step;
        out_offset += position * loops[i].out_step;
      }
      visit(in_offset, out_offset);
    }
  }
};

/// Nothing where the problem is not one of c2c and r2c of whole axes, where they do not nest in the
/// same order on both sides, and where a call would begin at an odd real number: libraries take
/// real data for pairs.
std::optional<NestedLayout> nested_layout(const LocalProblem& problem);

}  // namespace weft
