#include "manufactured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace poisson {

namespace {

using std::numbers::pi;

/// A function and its second derivative.
struct Jet {
  double value;
  double second;
};

/// exp(sin t), for 2 pi-periodic axes.
Jet wave(double t) {
  const double s = std::sin(t), c = std::cos(t), e = std::exp(s);
  return {e, (c * c - s) * e};
}

/// exp(cos t), even at 0 and pi.
Jet even_wave(double t) {
  const double s = std::sin(t), c = std::cos(t), e = std::exp(c);
  return {e, (s * s - c) * e};
}

/// sin(t) exp(cos t), odd at 0 and pi.
Jet odd_wave(double t) {
  const double s = std::sin(t), c = std::cos(t), e = std::exp(c);
  return {s * e, s * (s * s - 3 * c - 1) * e};
}

/// sin(t) exp(cos 2t), odd at 0 and even at pi / 2.
Jet odd_even_wave(double t) {
  const double s = std::sin(t), c = std::cos(t);
  const double s2 = std::sin(2 * t), c2 = std::cos(2 * t), e = std::exp(c2);
  return {s * e, (4 * s * s2 * s2 - 4 * s * c2 - 4 * c * s2 - s) * e};
}

/// exp(10 - 10 / (1 - t^2)) in (-1, 1), the bump of Caprace, Gillis and Chatelain (2021).
Jet bump(double t) {
  constexpr double steepness = 10;
  if (std::abs(t) >= 1) return {0, 0};
  const double w = 1 / (1 - t * t);
  const double first = 2 * t * w * w;
  const double second = 2 * w * w + 8 * t * t * w * w * w;
  const double e = std::exp(steepness * (1 - w));
  return {e, steepness * (steepness * first * first - second) * e};
}

/// |sin(t)|^power: even at pi / 2, and to be continued at 0 as an even or an odd function.
Jet power_of_sine(double power, double t) {
  const double s = std::abs(std::sin(t)), c = std::cos(t);
  return {std::pow(s, power),
          power * ((power - 1) * std::pow(s, power - 2) * c * c - std::pow(s, power))};
}

Jet profile(const Axis& axis, double smoothness, double x) {
  // Of t = factor * place, which the second derivative is scaled with.
  const auto along = [](auto&& function, double factor, double place) {
    const Jet jet = function(factor * place);
    return Jet{jet.value, factor * factor * jet.second};
  };
  const double length = axis.length;
  if (axis.unbounded()) return along(bump, 2 / length, x - length / 2);
  const double from_wall = axis.upper == End::dirichlet ? length - x : x;
  if (smoothness > 0) {
    const bool even_end = axis.lower == End::neumann || axis.upper == End::neumann;
    return along([&](double t) { return power_of_sine(smoothness, t); },
                 (even_end ? 0.5 : 1) * pi / length, from_wall);
  }
  if (axis.periodic()) return along(wave, 2 * pi / length, x);
  if (axis.lower != axis.upper) {
    return along(odd_even_wave, pi / (2 * length), from_wall);
  }
  return along(axis.lower == End::dirichlet ? odd_wave : even_wave, pi / length, x);
}

/// The series of all profiles but the bump are those of exp(cos t), with coefficients I_k(1), or
/// differ from them by one in k. What is beyond the highest mode appears, in f, as a lower one,
/// whose eigenvalue is smaller.
double unresolved_along(const Axis& axis, double largest_factor) {
  const weft::Index highest = axis.periodic() ? axis.points / 2 : axis.points - 1;
  const double unit = (axis.periodic() ? 2 : 1) * pi / axis.length;
  double sum = 0;
  for (weft::Index k = highest; k <= 2 * highest; ++k) {
    const double here = unit * static_cast<double>(k);
    const double there = unit * static_cast<double>(2 * highest - k);
    const double factor =
        there > 0 ? std::min(largest_factor, 1 / (there * there)) : largest_factor;
    sum += here * here * factor * std::cyl_bessel_i(static_cast<double>(k - 1), 1.0);
  }
  return sum;
}

/// Of axes that have constants: the mean of exp(sin t) and of exp(cos t), or of |sin t|^smoothness.
double mean_of_profile(double smoothness) {
  if (smoothness == 0) return std::cyl_bessel_i(0.0, 1.0);
  return std::tgamma((smoothness + 1) / 2) / (std::sqrt(pi) * std::tgamma(smoothness / 2 + 1));
}

}  // namespace

Manufactured::Manufactured(const Equation& equation, double smoothness)
    : equation_(equation), smoothness_(smoothness) {
  for (const Axis& axis : equation.axes) {
    Values values;
    for (weft::Index j = 0; j < axis.points; ++j) {
      const Jet jet = profile(axis, smoothness, axis.coordinate(j));
      values.value.push_back(jet.value);
      values.curvature.push_back(-jet.second);
    }
    axes_.push_back(std::move(values));
  }
  if (equation.singular()) mean_ = std::pow(mean_of_profile(smoothness), equation.axes.size());
}

double Manufactured::solution(const weft::Extents& index) const {
  double product = 1;
  for (int axis = 0; axis < index.size(); ++axis) product *= axes_[axis].value[index[axis]];
  return product - mean_;
}

double Manufactured::right_hand_side(const weft::Extents& index) const {
  double sum = equation_.lambda * (solution(index) + mean_);
  for (int axis = 0; axis < index.size(); ++axis) {
    double product = axes_[axis].curvature[index[axis]];
    for (int other = 0; other < index.size(); ++other) {
      if (other != axis) product *= axes_[other].value[index[other]];
    }
    sum += product;
  }
  return sum;
}

double Manufactured::unresolved(double largest_factor) const {
  double sum = 0;
  for (const Axis& axis : equation_.axes) sum += unresolved_along(axis, largest_factor);
  return sum;
}

/// Coefficients of f fall as k^-(smoothness - 1), and what is beyond the highest mode appears as a
/// lower one; if f is continued as an odd function, modes just above the highest one and just below
/// its double nearly cancel, which gains an order.
double Manufactured::order() const {
  double order = std::numeric_limits<double>::infinity();
  if (smoothness_ == 0) return order;
  for (const Axis& axis : equation_.axes) {
    if (axis.unbounded()) continue;
    const bool odd = axis.lower == End::dirichlet || axis.upper == End::dirichlet;
    order = std::min(order, odd ? smoothness_ : smoothness_ - 1);
  }
  return order;
}

}  // namespace poisson
