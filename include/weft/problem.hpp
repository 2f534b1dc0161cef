#pragma once

#include <optional>

#include "weft/kinds.hpp"
#include "weft/layout_spec.hpp"

namespace weft {

/// What is to be computed: the same arguments on every rank.
struct Problem {
  /// Lengths of the transforms, 1 to 6 axes. This is the shape of the global array in physical
  /// space, unless `input_points` is smaller.
  Extents shape;
  Kinds kinds = c2c;                     ///< what is done along each axis
  LayoutSpec input = slab_split(0);      ///< layout in physical space
  LayoutSpec output = {};                ///< layout in spectral space; default: like `input`
  Precision precision = Precision::f64;  ///< precision of both arrays
  Numbers numbers = Numbers::automatic;  ///< real or complex, in physical space
  Index batch = 1;                       ///< number of fields transformed together
  bool interleaved = false;    ///< fields interleaved per point, otherwise one after another
  Norm norm = Norm::backward;  ///< scaling
  /// SciPy's argument of that name for cosine and sine transforms: their matrices become orthogonal
  /// with Norm::ortho, because the elements at the ends get other weights. Default: with
  /// Norm::ortho only.
  std::optional<bool> orthogonalize = {};
  /// Zero padding: number of points along each axis that exist in physical space, the first ones.
  /// The others are zeros, which are not stored, not communicated and, where possible, not
  /// computed; backward discards them. Empty: all points. {n, n, n} of a shape {2n, 2n, 2n} is the
  /// doubled domain of linear convolutions.
  Extents input_points = {};
  /// Truncation: number of modes along each axis that exist in spectral space, the low ones. The
  /// others are dropped before they are communicated or transformed further; backward fills them
  /// with zeros. Empty: all modes. m modes are, with c2c, the frequencies 0 ... (m-1)/2, then
  /// -(m/2) ... -1 (use an odd m to avoid an unpaired highest mode); with r2c 0 ... m/2; with
  /// cosine and sine transforms the first m. {2n/3, ...} is the 2/3 rule, and {n, ...} of a shape
  /// {3n/2, ...} the 3/2 rule of dealiasing.
  Extents modes = {};
};

}  // namespace weft
