#pragma once

#include <vector>

#include "device/line_step.hpp"
#include "local/loops.hpp"
#include "local/real_kind_tables.hpp"

namespace weft {

/// The tables of a cosine or sine transform as devices take them, for pairs of lines: those of
/// `prepare` and `finish` that its steps need, the others are empty.
template <class Real>
struct LineEntries {
  std::vector<PlainEntry<Real>> prepare_plain;
  std::vector<PairEntry<Real>> prepare_pairs;
  std::vector<PlainEntry<Real>> finish_plain;
  std::vector<PartsEntry<Real>> finish_parts;
};

/// Lines hold their first `in_points` numbers before and `out_points` afterwards; the others are
/// zero, and dropped. Results are multiplied by `scale`.
template <class Real>
LineEntries<Real> line_entries(const RealKindTables<Real>& tables, Index in_points,
                               Index out_points, double scale);

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
