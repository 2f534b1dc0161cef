#pragma once

#include "local/real_kind_tables.hpp"
#include "local/stockham.hpp"

namespace weft {

/// Numbers of several lines: those with the same index make a row, in which lines are neighbors.
/// `stride` is the distance between rows, in reals; a row of complex numbers holds pairs.
template <class Number>
struct Rows {
  Number* data;
  Index stride;
};

/// What a number of a line is: factor times that of a row, or the other way round.
template <class Real>
struct RowPlace {
  Index row;
  Real factor;
};

/// A number that finishes a line, and what it is made of.
template <class Real>
struct PlacedPart {
  Index to;
  PartTerm<Real> term;
};

/// The steps of RealKindTables on all lines of a group, and how lines become rows and rows lines.
/// Sources and results do not overlap.
template <class Real>
struct RowKernels {
  void (*plain)(const std::vector<PlainTerm<Real>>& terms, Rows<const Real> from, Rows<Real> to,
                Index lines);
  void (*pairs)(const std::vector<PairTerm<Real>>& terms, Rows<const Real> from, Rows<Real> to,
                Index lines);
  /// Of two terms in a row that are made of the same number, this is read once.
  void (*parts)(const std::vector<PlacedPart<Real>>& terms, Rows<const Real> from, Rows<Real> to,
                Index lines);
  /// The numbers of each line, `stride` apart, to the rows that they have places in.
  void (*gather)(const Real* const* from, Index stride, const std::vector<RowPlace<Real>>& places,
                 Rows<Real> to, Index lines);
  void (*scatter)(Rows<const Real> from, const std::vector<RowPlace<Real>>& places, Real* const* to,
                  Index stride, Index lines);
};

/// All instruction sets give the same bits.
template <class Real>
RowKernels<Real> row_kernels(InstructionSet set);

}  // namespace weft
