#pragma once

#include <optional>

#include "weft/kinds.hpp"
#include "weft/layout_spec.hpp"

namespace weft {

/// What is to be computed. `Comm` is MPI_Comm for a plan that runs (the same arguments on every
/// rank of the communicator), or a number of ranks for a schedule that is only looked at.
template <class Comm>
struct BasicProblem {
  Extents shape;            ///< lengths of the global array in physical space, 1 to 6 axes
  Comm comm{};              ///< who takes part
  Kinds kinds = c2c;        ///< what is done along each axis
  LayoutSpec in = slab(0);  ///< of the array in physical space
  LayoutSpec out = {};      ///< of the array in spectral space; default: like `in`
  Precision precision = Precision::f64;
  Numbers numbers = Numbers::automatic;  ///< real or complex, in physical space
  Index batch = 1;                       ///< number of fields transformed together
  bool interleaved = false;  ///< fields interleaved per point, otherwise one after another
  Norm norm = Norm::backward;
  /// Of cosine and sine transforms, as SciPy's argument of that name: with Norm::ortho their
  /// matrices become orthogonal, because the elements at the ends get weights of their own.
  /// Default: with Norm::ortho only.
  std::optional<bool> orthogonalize = {};
};

}  // namespace weft
