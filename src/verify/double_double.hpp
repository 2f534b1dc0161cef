#pragma once

#include <cmath>

#include "weft/complex.hpp"

namespace weft {

/// A number of twice the precision of double, the sum of two: T. J. Dekker, "A floating-point
/// technique for extending the available precision", Numerische Mathematik 18, 1971. Devices have
/// no long double.
struct DoubleDouble {
  double high = 0;
  double low = 0;  ///< at most half a unit in the last place of `high`

  /// The sum of two numbers, the first of which is not the smaller one.
  WEFT_HOST_DEVICE static DoubleDouble ordered_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }

  friend WEFT_HOST_DEVICE DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const double sum = a.high + b.high;
    const double of_b = sum - a.high;
    const double lost = (a.high - (sum - of_b)) + (b.high - of_b);
    return ordered_sum(sum, lost + (a.low + b.low));
  }
  friend WEFT_HOST_DEVICE DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
    return a + DoubleDouble{-b.high, -b.low};
  }
  friend WEFT_HOST_DEVICE DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const double product = a.high * b.high;
    const double lost = std::fma(a.high, b.high, -product);
    return ordered_sum(product, lost + (a.high * b.low + a.low * b.high));
  }
  friend WEFT_HOST_DEVICE bool operator==(const DoubleDouble& a, const DoubleDouble& b) {
    return a.high == b.high && a.low == b.low;
  }
};

/// The same number.
WEFT_HOST_DEVICE inline DoubleDouble widened(double number) {
  return {number, 0};
}
template <class Real>
WEFT_HOST_DEVICE Complex<DoubleDouble> widened(const Complex<Real>& number) {
  return {widened(number.re), widened(number.im)};
}

/// A long double has no more digits.
inline DoubleDouble rounded(long double number) {
  const auto high = static_cast<double>(number);
  return {high, static_cast<double>(number - high)};
}

}  // namespace weft
