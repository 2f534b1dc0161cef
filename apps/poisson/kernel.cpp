#include "kernel.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <weft/weft.hpp>

namespace poisson {

namespace {

using std::numbers::pi;

double ball_radius(int axes, double volume) {
  if (axes == 1) return volume / 2;
  if (axes == 2) return std::sqrt(volume / pi);
  return std::cbrt(3 * volume / (4 * pi));
}

/// K_order(x), 0 where it underflows: there the library's own function fails.
double bessel_k(double order, double x) {
  constexpr double underflow = 700;
  return x > underflow ? 0 : std::cyl_bessel_k(order, x);
}

/// Si(x) = integral of sin(t) / t from 0 to x >= 0.
double sine_integral(double x) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  if (x < 3) {  // the power series, whose terms stay small
    double term = x, sum = x;
    for (int n = 3; std::abs(term) > eps * sum; n += 2) {
      term *= -x * x / (n * (n - 1));
      sum += term / n;
    }
    return sum;
  }
  // pi/2 + Im E1(i x), E1 by its continued fraction, from its front (modified Lentz).
  using Complex = std::complex<double>;
  constexpr double huge = 1e300;  // whose inverse does not count
  Complex b(1, x), c = huge, d = 1.0 / b, fraction = d;
  for (int n = 1;; ++n) {
    const double a = -static_cast<double>(n) * n;
    b += 2;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    const Complex factor = c * d;
    fraction *= factor;
    if (std::abs(factor.real() - 1) + std::abs(factor.imag()) < eps) break;
  }
  return pi / 2 + (std::polar(1.0, -x) * fraction).imag();
}

}  // namespace

Kernel parse_kernel(const std::string& text) {
  if (text == "chat2") return Kernel::chat2;
  if (text == "hej4") return Kernel::hej4;
  if (text == "hej6") return Kernel::hej6;
  if (text == "hej0") return Kernel::hej0;
  throw weft::Error("kernel '" + text + "' is unknown; known: chat2, hej4, hej6, hej0");
}

int order_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::chat2:
      return 2;
    case Kernel::hej4:
      return 4;
    case Kernel::hej6:
      return 6;
    case Kernel::hej0:
      return 0;
  }
  return 0;
}

FreeSpace::FreeSpace(Kernel kernel, int axes, double volume, double widest)
    : kernel_(kernel),
      axes_(axes),
      volume_(volume),
      widest_(widest),
      radius_(ball_radius(axes, volume)) {
  if (kernel == Kernel::hej0 && axes != 3) {
    throw weft::Error("kernel hej0 is for three unbounded axes, " + std::to_string(axes) +
                      " are given");
  }
}

double FreeSpace::operator()(double r, double kappa) const {
  if (kernel_ == Kernel::chat2) return r > 0 ? singular(r, kappa) : mean_at_0(kappa);
  return kernel_ == Kernel::hej0 ? cut_off(r) : blob(r);
}

double FreeSpace::singular(double r, double kappa) const {
  const double x = kappa * r;
  if (axes_ == 3) return std::exp(-x) / (4 * pi * r);
  if (axes_ == 2) return (kappa > 0 ? bessel_k(0, x) : -std::log(r)) / (2 * pi);
  return kappa > 0 ? std::exp(-x) / (2 * kappa) : -r / 2;
}

/// Integral of singular() over the ball of radius R, divided by the volume. For kappa = 0 that is
/// R^2/2, -R^2/2 (ln R - 1/2) and -R^2/2; otherwise, with x = kappa R,
/// (1 - (1 + x) exp(-x)) / kappa^2, (1 - x K_1(x)) / kappa^2 and (1 - exp(-x)) / kappa^2.
double FreeSpace::mean_at_0(double kappa) const {
  const double x = kappa * radius_;
  const double square = radius_ * radius_;
  if (kappa == 0) {
    const double factor = axes_ == 3 ? 1 : axes_ == 2 ? 0.5 - std::log(radius_) : -1;
    return 0.5 * square * factor / volume_;
  }
  // expm1 keeps the digits where x is small.
  const double rest = axes_ == 3   ? -std::expm1(-x) - x * std::exp(-x)
                      : axes_ == 2 ? 1 - x * bessel_k(1, x)
                                   : -std::expm1(-x);
  return rest / (kappa * kappa * volume_);
}

/// Inverse transform of exp(-s) (1 + s + s^2/2 ...) / k^2, s = (eps k)^2 / 2, up to s for order 4
/// and up to s^2/2 for order 6. The first term is that of a plain Gaussian, the others are the
/// Gaussian and its laplacian.
double FreeSpace::blob(double r) const {
  const double eps = 2 * widest_;
  const double rho = r / eps;
  const double gauss = std::exp(-rho * rho / 2);
  double plain;
  if (axes_ == 3) {
    plain = r > 0 ? std::erf(rho / std::numbers::sqrt2) / (4 * pi * r)
                  : 1 / (std::sqrt(2 * pi) * 2 * pi * eps);
  } else if (axes_ == 2) {
    const double logarithm = r > 0 ? std::log(r) - std::expint(-rho * rho / 2) / 2
                                   : std::log(std::numbers::sqrt2 * eps) - std::numbers::egamma / 2;
    plain = -logarithm / (2 * pi);
  } else {
    plain = -(r * std::erf(rho / std::numbers::sqrt2) / 2 + eps * gauss / std::sqrt(2 * pi));
  }
  const double second = kernel_ == Kernel::hej6 ? (axes_ - rho * rho) / 8 : 0;
  return plain +
         (0.5 + second) * gauss / (std::pow(2 * pi, axes_ / 2.0) * std::pow(eps, axes_ - 2));
}

/// (1 / 2 pi^2) integral of sin(k r) / (k r) for k from 0 to pi / h.
double FreeSpace::cut_off(double r) const {
  if (r == 0) return 1 / (2 * pi * widest_);
  return sine_integral(pi * r / widest_) / (2 * pi * pi * r);
}

}  // namespace poisson
