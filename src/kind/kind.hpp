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
  bool keeps_real;       ///< real data stays real, so that complex data is two arrays of it
  Index least_length;    ///< of the axis
  double noise_forward;  ///< white errors may grow by this factor, relative to the data, squared,
                         ///< with the kind's own weights
  double noise_backward;
  Index (*output_length)(Index);
  Index (*logical_length)(Index);  ///< forward and backward together multiply by this
  double (*wavenumber)(Index coefficient, Index points);
  Index (*nyquist)(Index points);  ///< coefficient whose wave changes sign at each point; -1: none
  double (*grid_point)(Index number, Index points);
};

/// All kinds, in the order in which `weft list` prints them.
const std::vector<KindTraits>& kind_table();
const KindTraits& traits(Kind kind);

/// Lengths of the transformed array, with so many modes along each axis; no numbers: all of them.
Extents spectral_shape(const Extents& shape, const Axes<Kind>& kinds, const Extents& keep = {});
/// The axis of kind r2c, or -1. Throws Error when there are several.
int halved_axis(const Axes<Kind>& kinds);
/// Whether the array in physical space holds real numbers. Throws Error when the kinds do not suit.
bool is_real(Numbers numbers, const Axes<Kind>& kinds);
/// Product over all axes of the factors by which squares of white errors may grow.
double noise_growth(const Axes<Kind>& kinds, Direction direction, bool orthogonal);
/// Number of points transformed together: product of the lengths of transformed axes.
Index transformed_points(const Extents& shape, const Axes<Kind>& kinds);
/// What an unscaled forward and backward transform multiply the data with: product of the logical
/// lengths.
Index logical_points(const Extents& shape, const Axes<Kind>& kinds);
/// Factor that the result is multiplied with; `points` are logical.
double scale_factor(Norm norm, Direction direction, Index points);

}  // namespace weft
