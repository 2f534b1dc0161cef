#pragma once

#include <vector>

#include "weft/axes.hpp"

namespace weft {

/// Where pieces of temporary memory lie.
struct Placement {
  /// A piece of temporary memory: written in step `first`, last read in step `last`.
  struct Lifetime {
    Index bytes = 0;
    int first = 0;
    int last = 0;
  };

  /// Memory of the user that may serve as workspace before or after it holds the user's data: free
  /// in the steps [from, until).
  struct Region {
    Index bytes = 0;
    int from = 0;
    int until = 0;
  };

  /// Where a piece lies: region -1 is the workspace proper.
  struct Place {
    int region = -1;
    Index offset = 0;  ///< in bytes, a multiple of buffer_alignment
  };

  std::vector<Place> places;  ///< one for each lifetime
  Index bytes = 0;            ///< of the workspace proper
};

/// Places pieces so that those alive in the same step do not overlap: each in the first region
/// where it fits, otherwise in the workspace; at the lowest place that is free (first fit, in order
/// of creation).
Placement place(const std::vector<Placement::Lifetime>& pieces,
                const std::vector<Placement::Region>& regions);

}  // namespace weft
