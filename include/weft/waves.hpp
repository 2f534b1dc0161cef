#pragma once

#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include "weft/plan.hpp"

namespace weft {

/// Angular wavenumbers of the coefficients of a plan, for a box of given lengths, and the functions
/// that operators of calculus apply to these coefficients:
///
///     plan.backward(uh, ux, weft::on_input(waves.derivative(0)));
class Waves {
 public:
  /// `lengths` of the box, one for each axis. The plan may be gone afterwards.
  Waves(const Plan& plan, std::span<const double> lengths);

  /// Number of axes.
  int axes() const { return static_cast<int>(first_.size()); }
  /// Of coefficient number i along an axis; zero for a mode of which only one of exp(i k x) and
  /// exp(-i k x) is there, the highest one of an even number, since its derivative is not on the
  /// grid.
  double first(int axis, Index i) const { return at(first_, axis, i); }
  /// The same without that exception: what second derivatives are made of.
  double any(int axis, Index i) const { return at(any_, axis, i); }
  /// Square of the length of the wave vector.
  double squared(const Extents& index) const {
    double sum = 0;
    for (int axis = 0; axis < axes(); ++axis)
      sum += any(axis, index[axis]) * any(axis, index[axis]);
    return sum;
  }

  /// d/dx along an axis, which must have a Fourier transform: throws Error otherwise. This function
  /// and the following ones refer to this object, which must outlive them.
  auto derivative(int axis) const {
    check_derivative(axis);
    return [this, axis](auto& value, const Point& point) {
      value = times_i(value, first(axis, point.index[axis]));
    };
  }
  /// Sum of the second derivatives.
  auto laplacian() const {
    return
        [this](auto& value, const Point& point) { value = scaled(value, -squared(point.index)); };
  }
  /// Solves the Poisson equation laplacian u = f. The constant part, which f must not have, becomes
  /// zero.
  auto inverse_laplacian() const {
    return [this](auto& value, const Point& point) {
      const double square = squared(point.index);
      value = scaled(value, square > 0 ? -1 / square : 0);
    };
  }
  /// Multiplies with response(k), k the length of the wave vector.
  template <class Response>
  auto filter(Response response) const {
    return [this, response](auto& value, const Point& point) {
      value = scaled(value, response(std::sqrt(squared(point.index))));
    };
  }

  /// i k z
  template <class Real>
  static std::complex<Real> times_i(const std::complex<Real>& value, double k) {
    const auto factor = static_cast<Real>(k);
    return {-factor * value.imag(), factor * value.real()};
  }
  /// The value times a factor, in the value's precision.
  template <class Real>
  static Real scaled(Real value, double factor) {
    return value * static_cast<Real>(factor);
  }
  /// The same for complex numbers.
  template <class Real>
  static std::complex<Real> scaled(const std::complex<Real>& value, double factor) {
    return value * static_cast<Real>(factor);
  }

 private:
  static double at(const std::vector<std::vector<double>>& numbers, int axis, Index i) {
    return numbers[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)];
  }
  void check_derivative(int axis) const;

  Axes<Kind> kinds_;
  std::vector<std::vector<double>> first_;  // by axis and coefficient
  std::vector<std::vector<double>> any_;
};

}  // namespace weft
