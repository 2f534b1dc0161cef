#pragma once

#include "weft/host_device.hpp"

namespace weft {

/// A complex number as functions on devices see it, in memory like std::complex, whose operators
/// not all compilers for GPUs have. An aggregate.
template <class Real>
struct Complex {
  Real re;  ///< real part
  Real im;  ///< imaginary part

  /// Adds a number.
  WEFT_HOST_DEVICE constexpr Complex& operator+=(const Complex& other) {
    return *this = {re + other.re, im + other.im};
  }
  /// Subtracts a number.
  WEFT_HOST_DEVICE constexpr Complex& operator-=(const Complex& other) {
    return *this = {re - other.re, im - other.im};
  }
  /// Multiplies by a number, or a real one.
  template <class Factor>
  WEFT_HOST_DEVICE constexpr Complex& operator*=(const Factor& factor) {
    return *this = *this * factor;
  }

  /// Sum.
  friend WEFT_HOST_DEVICE constexpr Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  /// Difference.
  friend WEFT_HOST_DEVICE constexpr Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  /// Product, without the detour of C++ for infinite numbers.
  friend WEFT_HOST_DEVICE constexpr Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// Product with a real number.
  friend WEFT_HOST_DEVICE constexpr Complex operator*(const Complex& a, Real b) {
    return {a.re * b, a.im * b};
  }
  /// Product with a real number.
  friend WEFT_HOST_DEVICE constexpr Complex operator*(Real a, const Complex& b) { return b * a; }
  /// Whether both parts are equal.
  friend WEFT_HOST_DEVICE constexpr bool operator==(const Complex& a, const Complex& b) {
    return a.re == b.re && a.im == b.im;
  }
};

/// The complex conjugate.
template <class Real>
WEFT_HOST_DEVICE constexpr Complex<Real> conj(const Complex<Real>& z) {
  return {z.re, -z.im};
}
/// The square of the absolute value, as std::norm.
template <class Real>
WEFT_HOST_DEVICE constexpr Real norm(const Complex<Real>& z) {
  return z.re * z.re + z.im * z.im;
}
/// i z
template <class Real>
WEFT_HOST_DEVICE constexpr Complex<Real> times_i(const Complex<Real>& z) {
  return {-z.im, z.re};
}

}  // namespace weft
