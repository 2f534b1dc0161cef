#pragma once

#include <cmath>
#include <complex>
#include <numbers>

#include "weft/axes.hpp"

namespace weft {

/// exp(2 pi i m / n) for 0 <= m < n, to the last place of long double: the argument is reduced with
/// integers to at most an eighth of a turn before sine and cosine are taken.
inline std::complex<long double> root_of_unity(Index m, Index n) {
  const Index quadrant = 4 * m / n;
  const Index rest = 4 * m - quadrant * n;
  const auto angle = [n](Index numerator) {
    return std::numbers::pi_v<long double> / 2 * static_cast<long double>(numerator) /
           static_cast<long double>(n);
  };
  const bool upper = 2 * rest > n;
  const long double c = upper ? std::sin(angle(n - rest)) : std::cos(angle(rest));
  const long double s = upper ? std::cos(angle(n - rest)) : std::sin(angle(rest));
  switch (quadrant) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

}  // namespace weft
