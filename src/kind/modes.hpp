#pragma once

#include "weft/kinds.hpp"

namespace weft {

/// A spectrum may keep only its low modes. Of the coefficients of the axis these are some at the
/// begin and some at the end.
struct ModeSplit {
  Index begin;
  Index end;
};

/// Negative frequencies of c2c are at the end: `kept` modes are those from -floor(kept/2) to
/// ceil(kept/2) - 1. Of other kinds the first ones are kept.
constexpr ModeSplit split_modes(Kind kind, Index kept) {
  const Index negative = kind == Kind::c2c ? kept / 2 : 0;
  return {kept - negative, negative};
}

/// The coefficient, of an axis with n points, that is number k of `kept` modes.
constexpr Index coefficient_index(Kind kind, Index k, Index n, Index kept) {
  return k < split_modes(kind, kept).begin ? k : k - kept + n;
}

}  // namespace weft
