#pragma once

#include "local/stockham_rows.hpp"
#include "weft/kernels/butterfly.hpp"

/// Lines of reals are transformed as complex ones of half the length: from the one spectrum to the
/// other.
namespace weft::stockham {

namespace {

/// Coefficients k and n - k.
template <bool forward, class V>
[[gnu::always_inline]] inline void fold_pair(Complex<V>& a, Complex<V>& b, V c, V s) {
  const V share = broadcast<V>(static_cast<RealOf<V>>(forward ? 0.5 : 1));
  const Complex<V> even = a + conjugate(b);
  const Complex<V> odd = turned(a - conjugate(b), c, s);
  a = {multiply_add(share, even.re, odd.re), multiply_add(share, even.im, odd.im)};
  b = {multiply_add(share, even.re, -odd.re), multiply_add(-share, even.im, odd.im)};
  if constexpr (!forward) {
    a = swapped(a);
    b = swapped(b);
  }
}

/// Between the spectrum of a line of reals, 0 ... points, and that of the complex numbers that
/// pairs of them make (swapped when backward).
template <bool forward, class Real, class From, class To>
inline void fold(const Line<Real>& line, From from, To to) {
  using V = typename From::V;
  const int n = line.stages.points;
  const Real* const factors = line.fold;
  if constexpr (forward) {
    const Complex<V> zero = from.load(0);
    to.store(0, {zero.re + zero.im, V{}});
    to.store(n, {zero.re - zero.im, V{}});
  } else {
    const V sum = from.load(0).re, difference = from.load(n).re;
    to.store(0, {sum - difference, sum + difference});
  }
  for (int k = 1; 2 * k < n; ++k) {
    Complex<V> a = from.load(k), b = from.load(n - k);
    fold_pair<forward>(a, b, broadcast<V>(factors[2 * k]), broadcast<V>(factors[2 * k + 1]));
    to.store(k, a);
    to.store(n - k, b);
  }
  if (n % 2 == 0) {
    const Complex<V> half = from.load(n / 2);
    if constexpr (forward) to.store(n / 2, {half.re, -half.im});
    if constexpr (!forward) to.store(n / 2, {-(half.im + half.im), half.re + half.re});
  }
}

/// fold() of one contiguous line. Of the coefficients 0 and n of a complex line, which are the
/// same, the first one is given.
template <bool forward, int lanes, class Real>
inline void fold_inside(const Line<Real>& line, const Real* in, Real* out) {
  using Numbers = Complex<Vector<Real, lanes>>;
  const ComplexRows<Real, lanes, false> from{const_cast<Real*>(in), 2}, to{out, 2},
      factors{const_cast<Real*>(line.fold), 2};
  const auto mirror = [](Numbers a) __attribute__((always_inline)) {
    constexpr typename MakeSequence<lanes>::Type all{};
    return Numbers{reversed(a.re, all), reversed(a.im, all)};
  };
  const int n = line.stages.points;
  const Real half[2] = {in[n], in[n + 1]};
  for (int k = 0; 2 * k < n; k += lanes) {
    const int opposite = n - k - (lanes - 1);
    Numbers a = from.load(k), b = mirror(from.load(opposite));
    const Numbers factor = factors.load(k);
    fold_pair<forward>(a, b, factor.re, factor.im);
    to.store(k, a);
    to.store(opposite, mirror(b));
  }
  out[n] = forward ? half[0] : -(half[1] + half[1]);
  out[n + 1] = forward ? -half[1] : half[0] + half[0];
}

}  // namespace

}  // namespace weft::stockham
