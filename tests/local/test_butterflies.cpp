// Transforms of few points in registers, against the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "verify/random_value.hpp"
#include "weft/kernels/butterfly.hpp"

namespace weft {
namespace {

using stockham::Complex;

template <class Real, int n>
void expect_transform() {
  using Wide = std::complex<long double>;
  Complex<Real> z[n];
  Wide in[n];
  long double norm = 0;
  for (int j = 0; j < n; ++j) {
    const auto value = random_number<std::complex<Real>>(j, std::uint64_t{20261129} + n);
    z[j] = {value.real(), value.imag()};
    in[j] = {value.real(), value.imag()};
    norm += std::norm(in[j]);
  }
  stockham::butterfly<n>(z);
  long double error = 0;
  for (int k = 0; k < n; ++k) {
    Wide exact = 0;
    for (int j = 0; j < n; ++j) {
      const long double turn = -2.0L * static_cast<long double>(j * k % n) / n;
      exact += in[j] * std::polar(1.0L, turn * std::numbers::pi_v<long double>);
    }
    error += std::norm(Wide(z[k].re, z[k].im) - exact);
  }
  // Of the numbers of norm sqrt(n) times that of the input.
  EXPECT_LE(std::sqrt(error / (n * norm)), 2 * std::numeric_limits<Real>::epsilon()) << n;
}

template <class Real, int... less>
void expect_transforms(std::integer_sequence<int, less...>) {
  (expect_transform<Real, less + 1>(), ...);
}

TEST(Butterflies, OfUpTo40Points) {
  expect_transforms<double>(std::make_integer_sequence<int, 40>{});
  expect_transforms<float>(std::make_integer_sequence<int, 40>{});
}

TEST(Butterflies, AreMadeOfFactorsAboutAsLarge) {
  using stockham::composing_factor;
  for (const int prime : {2, 3, 5, 7, 11, 13, 17}) EXPECT_EQ(composing_factor(prime), prime);
  EXPECT_EQ(composing_factor(16), 4);
  EXPECT_EQ(composing_factor(25), 5);
  EXPECT_EQ(composing_factor(32), 8);
  // Without common divisors, where that is possible.
  EXPECT_EQ(composing_factor(12), 4);
  EXPECT_EQ(composing_factor(18), 9);
  EXPECT_EQ(composing_factor(24), 8);
  EXPECT_EQ(composing_factor(30), 6);
  EXPECT_EQ(composing_factor(36), 9);
  EXPECT_EQ(composing_factor(40), 8);
}

}  // namespace
}  // namespace weft
