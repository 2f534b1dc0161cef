#pragma once

#include "geometry/layout.hpp"
#include "kind/kind.hpp"
#include "weft/problem.hpp"

namespace weft {

/// A checked problem with every default filled in, as one rank sees it. A batch has become the last
/// axis, of kind none.
struct Problem {
  Extents shape;
  Extents spectral;
  Axes<Kind> kinds;
  Layout in;
  Layout out;
  Precision precision = Precision::f64;
  Norm norm = Norm::backward;
  Index ranks = 1;
  Index rank = 0;
  Index batch = 1;

  bool real_input() const { return halved_axis(kinds) >= 0; }
};

/// Throws Error when the arguments make no sense.
Problem resolve(const BasicProblem<Index>& given, Index rank);

}  // namespace weft
