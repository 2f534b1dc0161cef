#pragma once

#include "local/real_kind.hpp"
#include "local/stockham.hpp"

namespace weft {

/// Numbers of several lines: those with the same index make a row, in which lines are neighbours.
/// `stride` is the distance between rows, in reals; a row of complex numbers holds pairs.
template <class Number>
struct Rows {
  Number* data;
  Index stride;
};

/// The steps of RealKindTables on all lines of a group, and how lines become rows and rows lines.
/// Sources and results do not overlap.
template <class Real>
struct RowKernels {
  void (*plain)(const std::vector<PlainTerm<Real>>& terms, Rows<const Real> from, Rows<Real> to,
                Index lines);
  void (*pairs)(const std::vector<PairTerm<Real>>& terms, Rows<const Real> from, Rows<Real> to,
                Index lines);
  void (*parts)(const std::vector<PartTerm<Real>>& terms, Rows<const Real> from, Rows<Real> to,
                Index lines);
  /// Numbers 0 ... count-1 of each line, `stride` apart.
  void (*gather)(const Real* const* from, Index stride, Rows<Real> to, Index count, Index lines);
  void (*scatter)(Rows<const Real> from, Real* const* to, Index stride, Index count, Index lines);
};

/// All instruction sets give the same bits.
template <class Real>
RowKernels<Real> row_kernels(stockham::InstructionSet set);

}  // namespace weft
