#pragma once

#include "weft/kinds.hpp"

namespace weft {

/// What the rest of weft has to know of a kind. Adding one: an enumerator and a row of the table.
struct KindTraits {
  Kind kind;
  const char* name;
  const char* description;
  bool transforms;       ///< false: data passes through
  bool real_to_complex;  ///< the array is real before and complex after
  Index (*output_length)(Index);
  Index (*wavenumber)(Index coefficient, Index points);
};

/// All kinds, in the order in which `weft list` prints them.
const std::vector<KindTraits>& kind_table();
const KindTraits& traits(Kind kind);

/// Lengths of the transformed array.
Extents spectral_shape(const Extents& shape, const Axes<Kind>& kinds);
/// The axis of kind r2c, or -1. Throws Error when there are several.
int halved_axis(const Axes<Kind>& kinds);
/// Number of points transformed together: product of the lengths of transformed axes.
Index transformed_points(const Extents& shape, const Axes<Kind>& kinds);
/// Factor that the result is multiplied with.
double scale_factor(Norm norm, Direction direction, Index points);

}  // namespace weft
