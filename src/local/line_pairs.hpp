#pragma once

#include "device/line_step.hpp"
#include "local/loops.hpp"

namespace weft {

/// The lines of a cosine or sine transform: strides in reals.
struct Lines {
  LocalAxis line;           ///< from a number to the next one
  Axes<LocalAxis> loops;    ///< over lines, of complex data over lines of complex numbers
  bool of_complex = false;  ///< real and imaginary parts are the two lines of a pair
  bool joined = true;       ///< a pair is one complex line of the Fourier transform
  Index points = 1;         ///< of the Fourier transform
};

/// Of a problem with one axis.
Lines real_lines(const LocalProblem& problem, Index points, bool joined);

/// Where pairs of the lines in these loops, up to 2^30 of all, lie on one side; complex lines are
/// dense. Pairs have the same numbers on both sides. Complex lines lie side by side where lines of
/// the array do, as long rows, otherwise one after another.
LinePairs line_pairs(const Lines& lines, const Axes<LocalAxis>& loops, bool input);

}  // namespace weft
