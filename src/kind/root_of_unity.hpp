#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

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

/// The same for many m of one n: products of entries of two short tables, which take a small part
/// of the time and are exact to two places.
class RootTable {
 public:
  explicit RootTable(Index n) : fine_bits_(std::bit_width(static_cast<std::uint64_t>(n)) / 2) {
    const Index step = Index{1} << fine_bits_;
    for (Index m = 0; m < std::min(step, n); ++m) fine_.push_back(root_of_unity(m, n));
    for (Index m = 0; m < n; m += step) coarse_.push_back(root_of_unity(m, n));
  }

  std::complex<long double> operator()(Index m) const {
    const auto fine = static_cast<std::size_t>(m & ((Index{1} << fine_bits_) - 1));
    return coarse_[static_cast<std::size_t>(m >> fine_bits_)] * fine_[fine];
  }

 private:
  int fine_bits_;
  std::vector<std::complex<long double>> fine_, coarse_;
};

}  // namespace weft
