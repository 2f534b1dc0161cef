#pragma once

// How passes over real lines that are stored as complex ones of half as many numbers read and write
// their spectra.
#include "weft/kernels/line_forms.hpp"

namespace weft::stockham {

namespace {

/// Neighboring numbers of a real line are one complex number: the spectrum of the line is made of
/// number k of that of the complex line and its mirror image.
template <class Real>
struct FoldStore {
  static constexpr bool is_mirrored = true;

  template <class Stage>
  WEFT_INLINE static void store(const LinePass& pass, const Stage& stage, const LinePlace& line,
                                std::uint32_t k, const Complex<Real>* rows) {
    if (!line.exists) return;
    const std::uint32_t mirror = pass.points - k;
    const Complex<Real> z = rows[stage.row_of(k)];
    const Complex<Real> w = conjugate(rows[stage.row_of(reversed(k, pass.points))]);
    const Complex<Real> even = z + w, difference = z - w;
    const Complex<Real> odd = times(Complex<Real>{difference.im, -difference.re},
                                    static_cast<const Complex<Real>*>(pass.out.table)[k]);
    put(pass, line, k, even + odd);
    if (mirror != k) put(pass, line, mirror, conjugate(even - odd));
  }

 private:
  WEFT_INLINE static void put(const LinePass& pass, const LinePlace& line, std::uint32_t k,
                              Complex<Real> twice) {
    if (k >= pass.out.stored) return;
    const auto scale = static_cast<Real>(pass.scale / 2);
    reinterpret_cast<Complex<Real>*>(pass.out.data)[line.at + k * pass.out.step] = {
        scale * twice.re, scale * twice.im};
  }
};

/// The reverse.
template <class Real>
struct FoldLoad {
  static constexpr bool is_mirrored = true;

  WEFT_INLINE static MirroredNumbers<Real> load(const LinePass& pass, const LinePlace& line,
                                                std::uint32_t k) {
    Complex<Real> x = number(pass, line, k), y = number(pass, line, pass.points - k);
    // Those at the ends are real.
    if (k == 0) x.im = y.im = 0;
    const Complex<Real> even = x + conjugate(y);
    const Complex<Real> odd =
        times(x - conjugate(y), conjugate(static_cast<const Complex<Real>*>(pass.in.table)[k]));
    return {{even.re - odd.im, even.im + odd.re}, {even.re + odd.im, odd.re - even.im}};
  }

 private:
  WEFT_INLINE static Complex<Real> number(const LinePass& pass, const LinePlace& line,
                                          std::uint32_t k) {
    if (k >= pass.in.stored) return {};
    return reinterpret_cast<const Complex<Real>*>(pass.in.data)[line.at + k * pass.in.step];
  }
};

}  // namespace

}  // namespace weft::stockham
