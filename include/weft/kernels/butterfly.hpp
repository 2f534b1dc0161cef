#pragma once

#include <type_traits>

#include "weft/kernels/numbers.hpp"

/// Transforms of few points in registers, forward: exp(-2 pi i j k / n).
namespace weft::stockham {

namespace {

/// cos(x) and sin(x) for |x| <= pi/4.
consteval long double series(long double x, bool sine) {
  long double term = sine ? x : 1, sum = 0;
  for (int i = sine ? 2 : 1; i < 40; i += 2) {
    sum += term;
    term *= -x * x / (static_cast<long double>(i) * (i + 1));
  }
  return sum;
}

/// Of m / n turns; the angle is reduced with integers.
consteval long double cosine(int m, int n) {
  m = (m % n + n) % n;
  if (2 * m > n) m = n - m;
  if (4 * m > n) return -cosine(n - 2 * m, 2 * n);
  constexpr long double turn = 6.283185307179586476925286766559L;
  if (8 * m <= n) return series(turn * m / n, false);
  return series(turn * (n - 4 * m) / (4 * n), true);
}
consteval long double sine(int m, int n) {
  return cosine(4 * m - n, 4 * n);
}

template <class V>
struct PartOf {
  using Type = std::remove_cvref_t<decltype(V{}[0])>;
};
template <>
struct PartOf<float> {
  using Type = float;
};
template <>
struct PartOf<double> {
  using Type = double;
};
template <class V>
using RealOf = typename PartOf<V>::Type;

/// a exp(-2 pi i m / n)
template <int m, int n, class V>
WEFT_INLINE Complex<V> rotated(Complex<V> a) {
  using Real = RealOf<V>;
  if constexpr (m % n == 0) {
    return a;
  } else if constexpr (4 * m == n) {
    return {a.im, -a.re};
  } else if constexpr (2 * m == n) {
    return {-a.re, -a.im};
  } else if constexpr (8 * m == n || 8 * m == 3 * n) {
    constexpr auto cosine_of_eighth = static_cast<Real>(cosine(1, 8));
    const V half = broadcast<V>(cosine_of_eighth);
    const V difference = (a.im - a.re) * half;
    const V sum = (a.re + a.im) * half;
    if constexpr (8 * m == n) return {sum, difference};
    if constexpr (8 * m != n) return {difference, -sum};
  } else {
    constexpr auto c = static_cast<Real>(cosine(m, n)), s = static_cast<Real>(-sine(m, n));
    return turned(a, broadcast<V>(c), broadcast<V>(s));
  }
}

WEFT_HOST_DEVICE constexpr bool coprime(int a, int b) {
  while (b != 0) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a == 1;
}

/// The larger of two factors that a butterfly is made of, about as large as the other one and
/// without common divisors where that is possible; n itself where it is prime.
WEFT_HOST_DEVICE constexpr int composing_factor(int n) {
  int result = n;
  for (int larger = n - 1; larger * larger >= n; --larger) {
    if (n % larger == 0 &&
        (result == n || coprime(larger, n / larger) || !coprime(result, n / result))) {
      result = larger;
    }
  }
  return result;
}

template <int n, class V>
WEFT_INLINE void butterfly(Complex<V> (&z)[n]);

template <class V>
WEFT_INLINE void butterfly_of_four(Complex<V> (&z)[4]) {
  const Complex<V> sum_even = z[0] + z[2], difference_even = z[0] - z[2];
  const Complex<V> sum_odd = z[1] + z[3], difference_odd = z[1] - z[3];
  z[0] = sum_even + sum_odd;
  z[2] = sum_even - sum_odd;
  z[1] = {difference_even.re + difference_odd.im, difference_even.im - difference_odd.re};
  z[3] = {difference_even.re - difference_odd.im, difference_even.im + difference_odd.re};
}

/// With one rounding less than butterfly_of_odd, whose products serve two points each.
template <class V>
WEFT_INLINE void butterfly_of_three(Complex<V> (&z)[3]) {
  constexpr auto sine_of_third = static_cast<RealOf<V>>(sine(1, 3));
  const V s = broadcast<V>(sine_of_third), c = broadcast<V>(RealOf<V>(-0.5));
  const Complex<V> sum = z[1] + z[2], difference = z[1] - z[2];
  const Complex<V> even{multiply_add(sum.re, c, z[0].re), multiply_add(sum.im, c, z[0].im)};
  z[0] = z[0] + sum;
  z[1] = {multiply_add(difference.im, s, even.re), multiply_add(difference.re, -s, even.im)};
  z[2] = {multiply_add(difference.im, -s, even.re), multiply_add(difference.re, s, even.im)};
}

/// Odd lengths by the definition, of sums and differences of mirrored points.
template <int n, class V>
WEFT_INLINE void butterfly_of_odd(Complex<V> (&z)[n]) {
  using Real = RealOf<V>;
  constexpr int half = n / 2;
  Complex<V> sum[half], difference[half];
  const Complex<V> first = z[0];
  unrolled<half>([&](auto number) __attribute__((always_inline)) {
    constexpr int j = decltype(number)::number;
    sum[j] = z[j + 1] + z[n - 1 - j];
    difference[j] = z[j + 1] - z[n - 1 - j];
    z[0] = z[0] + sum[j];
  });
  unrolled<half>([&](auto row) __attribute__((always_inline)) {
    constexpr int k = decltype(row)::number + 1;
    Complex<V> even = first, odd;
    unrolled<half>([&](auto column) __attribute__((always_inline)) {
      constexpr int j = decltype(column)::number;
      constexpr auto cosine_of_turn = static_cast<Real>(cosine((j + 1) * k, n));
      constexpr auto sine_of_turn = static_cast<Real>(sine((j + 1) * k, n));
      const V c = broadcast<V>(cosine_of_turn), s = broadcast<V>(sine_of_turn);
      even = {multiply_add(sum[j].re, c, even.re), multiply_add(sum[j].im, c, even.im)};
      if constexpr (j == 0) {
        odd = {difference[j].re * s, difference[j].im * s};
      } else {
        odd = {multiply_add(difference[j].re, s, odd.re),
               multiply_add(difference[j].im, s, odd.im)};
      }
    });
    z[k] = {even.re + odd.im, even.im - odd.re};
    z[n - k] = {even.re - odd.im, even.im + odd.re};
  });
}

/// Where k mod a and k mod b are given.
WEFT_HOST_DEVICE constexpr int with_remainders(int a, int of_a, int b, int of_b) {
  int k = of_a;
  while (k % b != of_b) k += a;
  return k;
}

/// Lengths a b: by the prime factor algorithm, else by Cooley and Tukey's.
template <int a, int b, class V>
WEFT_INLINE void butterfly_of_product(Complex<V> (&z)[a * b]) {
  constexpr int n = a * b;
  constexpr bool prime_factors = coprime(a, b);
  Complex<V> middle[b][a];
  unrolled<b>([&](auto column) __attribute__((always_inline)) {
    constexpr int jb = decltype(column)::number;
    unrolled<a>([&](auto row) __attribute__((always_inline)) {
      constexpr int ja = decltype(row)::number;
      middle[jb][ja] = z[prime_factors ? (b * ja + a * jb) % n : b * ja + jb];
    });
    butterfly<a>(middle[jb]);
  });
  unrolled<a>([&](auto row) __attribute__((always_inline)) {
    constexpr int ka = decltype(row)::number;
    Complex<V> across[b];
    unrolled<b>([&](auto column) __attribute__((always_inline)) {
      constexpr int jb = decltype(column)::number;
      across[jb] = prime_factors ? middle[jb][ka] : rotated<jb * ka, n>(middle[jb][ka]);
    });
    butterfly<b>(across);
    unrolled<b>([&](auto column) __attribute__((always_inline)) {
      constexpr int kb = decltype(column)::number;
      z[prime_factors ? with_remainders(a, ka, b, kb) : ka + a * kb] = across[kb];
    });
  });
}

template <int n, class V>
WEFT_INLINE void butterfly(Complex<V> (&z)[n]) {
  if constexpr (n == 1) {
    return;
  } else if constexpr (n == 2) {
    const Complex<V> difference = z[0] - z[1];
    z[0] = z[0] + z[1];
    z[1] = difference;
  } else if constexpr (n == 3) {
    butterfly_of_three(z);
  } else if constexpr (n == 4) {
    butterfly_of_four(z);
  } else if constexpr (composing_factor(n) != n) {
    butterfly_of_product<composing_factor(n), n / composing_factor(n)>(z);
  } else {
    butterfly_of_odd<n>(z);
  }
}

}  // namespace

}  // namespace weft::stockham
