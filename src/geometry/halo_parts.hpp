#pragma once

#include <vector>

#include "geometry/distribution.hpp"

namespace weft {

/// How many points a halo reaches beyond each side of a box, and whether it goes on at the other
/// end of the array where that ends.
struct HaloWidths {
  Extents lower;
  Extents upper;
  Axes<bool> periodic;
};

/// More rounds about a periodic axis are a mistake of the caller's. It also keeps the coordinates
/// of a halo within 64 bits.
inline constexpr Index most_halo_rounds = 16;

/// A part of one rank's box or halo, and the rank that has the same points in its halo or box.
struct HaloPart {
  Index peer = 0;
  Box region;  ///< a halo beyond a periodic border has the coordinates beyond, not those inside
};

/// What one rank gives to the halos of others and what it takes from others, itself included where
/// an axis is periodic. By increasing peer; the parts that two ranks share are in the same order on
/// both.
struct HaloParts {
  std::vector<HaloPart> owned;  ///< of this rank's box
  std::vector<HaloPart> halo;   ///< of its halo
};

/// The box with its halo, which ends at borders that are not periodic.
Box with_halo(const Box& box, const Extents& shape, const HaloWidths& widths);

/// Ranks are found by where their boxes are, so that grids cost no more on a million of them. The
/// widths of a periodic axis must not exceed most_halo_rounds times its length.
HaloParts halo_parts(const Distribution& distribution, const Extents& shape,
                     const HaloWidths& widths, Index rank);

}  // namespace weft
