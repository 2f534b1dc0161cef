// What derivatives multiply with, against derivatives of the functions that modes stand for.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "kind/kind.hpp"

namespace weft {
namespace {

using Real = long double;
using Complex = std::complex<Real>;
constexpr Real pi = std::numbers::pi_v<Real>;
constexpr double length = 3;

/// Distance between points of an axis of unit length.
Real spacing(Kind kind, Index n) {
  return 1 / static_cast<Real>(kind == Kind::dct1 ? n - 1 : kind == Kind::dst1 ? n + 1 : n);
}

/// The derivative at x of the mode's function: of those that have its values at the points the one
/// that oscillates least, and so one of both signs for the Nyquist mode.
Complex exact_derivative(const KindTraits& kind, Index k, Index n, Real x) {
  const Real w = wavenumber(kind.kind, k, n);
  if (!kind.keeps_real) {
    const Real a = 2 * pi * w / length;
    if (2 * std::abs(w) == n) return -a * std::sin(2 * pi * w * x);
    return Complex(0, a) * std::polar<Real>(1, 2 * pi * w * x);
  }
  const Real a = pi * w / length;
  return kind.name[1] == 'c' ? -a * std::sin(pi * w * x) : a * std::cos(pi * w * x);
}

/// The same with the number that derivatives multiply with.
Complex derivative(const KindTraits& kind, Index k, Index n, Real x) {
  const Real w = wavenumber(kind.kind, k, n);
  const Real a = derivative_wavenumber(kind.kind, k, n, length);
  if (!kind.keeps_real) return Complex(0, a) * std::polar<Real>(1, 2 * pi * w * x);
  return kind.name[1] == 'c' ? -a * std::sin(pi * w * x) : a * std::cos(pi * w * x);
}

TEST(Derivative, IsThatOfTheSmoothestFunctionThroughThePoints) {
  for (const KindTraits& kind : kind_table()) {
    if (!kind.transforms) continue;
    for (Index n = kind.least_length; n <= 9; ++n) {
      for (Index k = 0; k < kind.output_length(n); ++k) {
        Real most = 0;
        // Points go on beyond the ends, where the derivative of a cosine may be, as a sine is.
        for (Index j = -1; j < 4 * n; ++j) {
          const Real x = grid_point(kind.kind, 0, n) + static_cast<Real>(j) * spacing(kind.kind, n);
          const Complex exact = exact_derivative(kind, k, n, x);
          most = std::max(most, std::abs(exact));
          EXPECT_LT(std::abs(derivative(kind, k, n, x) - exact), 1e-13)
              << kind.name << " " << n << " points, mode " << k << " at " << j;
        }
        // Only then is it zero, rather than times a wave that vanishes at every point.
        EXPECT_EQ(derivative_wavenumber(kind.kind, k, n, length) == 0, most < 1e-13)
            << kind.name << " " << n << " points, mode " << k;
      }
    }
  }
}

TEST(Derivative, OfAllOtherModesMultipliesWithTheAngularWavenumber) {
  for (const KindTraits& kind : kind_table()) {
    for (Index n = kind.least_length; n <= 9; ++n) {
      Index zeros = 0;
      for (Index k = 0; k < kind.output_length(n); ++k) {
        const double angular = angular_wavenumber(kind.kind, k, n, length);
        const double number = derivative_wavenumber(kind.kind, k, n, length);
        if (number != angular) {
          EXPECT_EQ(number, 0) << kind.name << " " << n << " " << k;
          ++zeros;
        }
      }
      const bool fourier = kind.kind == c2c || kind.kind == r2c;
      const bool has_nyquist =
          fourier ? n % 2 == 0 : kind.kind == Kind::dct1 || kind.kind == Kind::dst2;
      EXPECT_EQ(zeros, has_nyquist ? 1 : 0) << kind.name << " " << n;
    }
  }
}

TEST(Derivative, OfModesThatAreKept) {
  // -2 of four modes stands alone, as on a grid of four points; r2c has both of a pair.
  EXPECT_EQ(derivative_wavenumber(c2c, 2, 4, length), 0);
  EXPECT_EQ(derivative_wavenumber(c2c, 3, 5, length), angular_wavenumber(c2c, 3, 5, length));
  EXPECT_NE(derivative_wavenumber(r2c, 2, 8, length), 0);
  EXPECT_NE(derivative_wavenumber(Kind::dct1, 3, 8, length), 0);
  EXPECT_NE(derivative_wavenumber(Kind::dst2, 3, 8, length), 0);
}

TEST(Derivative, OfNoKindIsRefused) {
  EXPECT_THROW(derivative_wavenumber(static_cast<Kind>(99), 0, 8, length), Error);
}

}  // namespace
}  // namespace weft
