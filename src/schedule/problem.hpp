#pragma once

#include "geometry/layout.hpp"
#include "kind/kind.hpp"
#include "weft/problem.hpp"

namespace weft {

/// A checked problem with every default filled in, as one rank sees it. A batch has become the last
/// axis, of kind none.
struct ResolvedProblem {
  Extents lengths;   ///< of the transforms
  Extents shape;     ///< of the array in physical space
  Extents spectral;  ///< of the array in spectral space
  Axes<Kind> kinds;
  Layout input;
  Layout output;
  Precision precision = Precision::f64;
  bool real = false;  ///< numbers in physical space
  Norm norm = Norm::backward;
  bool orthogonal = false;  ///< weights of cosine and sine transforms
  Index ranks = 1;
  Index rank = 0;
  Index batch = 1;

  /// Whether the array is complex when the axes of a mask have been transformed.
  bool complex_after(unsigned done) const {
    const int halved = halved_axis(kinds);
    return !real || (halved >= 0 && (done >> halved & 1) != 0);
  }
  /// Shape of the array when the axes of a mask have been transformed.
  Extents shape_after(unsigned done) const {
    Extents result = shape;
    for (int axis = 0; axis < shape.size(); ++axis) {
      if (done >> axis & 1) result[axis] = spectral[axis];
    }
    return result;
  }
  bool complex_input() const { return !real; }
  bool complex_output() const { return complex_after(~0u); }
};

/// What the rank of this number among so many has to do. Throws Error when the arguments make no
/// sense.
ResolvedProblem resolve(const Problem& given, Index ranks, Index rank);

}  // namespace weft
