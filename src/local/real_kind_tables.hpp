#pragma once

#include <vector>

#include "weft/kinds.hpp"

namespace weft {

/// factor * number[from]
template <class Real>
struct PlainTerm {
  Index from;
  Real factor;
};

/// (re + i im) (number[first] - i number[second]), of real numbers
template <class Real>
struct PairTerm {
  Index first, second;
  Real re, im;
};

/// The real part of (re + i im) number[from], of complex numbers
template <class Real>
struct PartTerm {
  Index from;
  Real re, im;
};

/// A cosine or sine transform of n real numbers as an unscaled Fourier transform between two steps
/// that are tables: one term for each number that the step makes.
template <class Real>
struct RealKindTables {
  Kind kind;            ///< of the Fourier transform: r2c, or c2c
  Direction direction;  ///< of the Fourier transform
  Index points;         ///< its logical length
  // Before: to real numbers or to complex ones. The other table is empty.
  std::vector<PlainTerm<Real>> prepare_plain;
  std::vector<PairTerm<Real>> prepare_pairs;
  // After: from real numbers or from complex ones. The other table is empty.
  std::vector<PlainTerm<Real>> finish_plain;
  std::vector<PartTerm<Real>> finish_parts;
};

/// Throws Error where the kind is not defined for n points.
template <class Real>
RealKindTables<Real> real_kind_tables(Kind kind, Direction direction, Index n,
                                      bool orthogonal = false);

}  // namespace weft
