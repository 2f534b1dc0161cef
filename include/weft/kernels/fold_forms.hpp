#pragma once

// How passes over real lines that are stored as complex ones of half as many numbers read and write
// their spectra.
#include "weft/kernels/line_forms.hpp"

namespace weft::stockham {

namespace {

/// The numbers of a spectrum, where they are those of an array.
template <class Real>
struct ArrayNumbers {
  const LinePass& pass;
  const LinePlace& line;

  WEFT_INLINE Complex<Real> read(std::uint32_t k) const {
    return reinterpret_cast<const Complex<Real>*>(pass.in.data)[line.at + k * pass.in.step];
  }
  WEFT_INLINE void write(std::uint32_t k, Complex<Real> z) const {
    reinterpret_cast<Complex<Real>*>(pass.out.data)[line.at + k * pass.out.step] = z;
  }
};

/// Neighboring numbers of a real line are one complex number: the spectrum of the line is made of
/// number k of that of the complex line and its mirror image.
template <class Real, template <class> class Numbers = ArrayNumbers>
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
    Numbers<Real> numbers{pass, line};
    const auto put = [&](std::uint32_t number, Complex<Real> twice) {
      if (number >= pass.out.stored) return;
      const auto scale = static_cast<Real>(pass.scale / 2);
      numbers.write(number, {scale * twice.re, scale * twice.im});
    };
    put(k, even + odd);
    if (mirror != k) put(mirror, conjugate(even - odd));
  }
};

/// The reverse.
template <class Real, template <class> class Numbers = ArrayNumbers>
struct FoldLoad {
  static constexpr bool is_mirrored = true;

  WEFT_INLINE static MirroredNumbers<Real> load(const LinePass& pass, const LinePlace& line,
                                                std::uint32_t k) {
    const Numbers<Real> numbers{pass, line};
    const auto number = [&](std::uint32_t i) {
      return i < pass.in.stored ? numbers.read(i) : Complex<Real>{};
    };
    Complex<Real> x = number(k), y = number(pass.points - k);
    // Those at the ends are real.
    if (k == 0) x.im = y.im = 0;
    const Complex<Real> even = x + conjugate(y);
    const Complex<Real> odd =
        times(x - conjugate(y), conjugate(static_cast<const Complex<Real>*>(pass.in.table)[k]));
    return {{even.re - odd.im, even.im + odd.re}, {even.re + odd.im, odd.re - even.im}};
  }
};

}  // namespace

}  // namespace weft::stockham
