#pragma once

#include <utility>

#include "weft/layout_spec.hpp"

namespace weft {

struct Interval {
  Index lower = 0;
  Index upper = 0;
};

/// The points of part `part` when `length` points are divided into `parts`.
Interval part_interval(Index length, Index parts, Split split, Index part);
/// The part that owns point `point`.
Index part_of(Index length, Index parts, Split split, Index point);

}  // namespace weft
