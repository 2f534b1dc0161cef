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

  /// Those that are not stored are zero.
  template <int count>
  WEFT_INLINE void read(const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) const {
    each<count>([&](int i) {
      z[i] = number[i] < pass.in.stored ? reinterpret_cast<const Complex<Real>*>(
                                              pass.in.data)[line.at + number[i] * pass.in.step]
                                        : Complex<Real>{};
    });
  }
  /// Drops those that are not stored.
  template <int count>
  WEFT_INLINE void write(const std::uint32_t (&number)[count], const Complex<Real> (&z)[count]) {
    each<count>([&](int i) {
      if (number[i] < pass.out.stored) {
        reinterpret_cast<Complex<Real>*>(pass.out.data)[line.at + number[i] * pass.out.step] = z[i];
      }
    });
  }
};

/// Neighboring numbers of a real line are one complex number: the spectrum of the line is made of
/// number k of that of the complex line and its mirror image.
template <class Real, template <class> class Numbers = ArrayNumbers>
struct FoldStore {
  static constexpr bool is_mirrored = true;

  template <class Stage>
  WEFT_INLINE static void store(const LinePass& pass, const Stage& stage, const LinePlace& line,
                                const MirroredRun& run, const Complex<Real>* rows) {
    Complex<Real> z[MirroredRun::count], w[MirroredRun::count], turn[MirroredRun::count];
    each<MirroredRun::count>([&](int i) {
      const std::uint32_t k = run.number(i);
      z[i] = rows[stage.row_of(k)];
      w[i] = conjugate(rows[stage.row_of(reversed(k, pass.points))]);
      turn[i] = static_cast<const Complex<Real>*>(pass.out.table)[k];
    });
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t number[2 * MirroredRun::count];
    Complex<Real> made[2 * MirroredRun::count];
    const auto scale = static_cast<Real>(pass.scale / 2);
    each<MirroredRun::count>([&](int i) {
      const std::uint32_t k = run.number(i), mirror = pass.points - k;
      const Complex<Real> even = z[i] + w[i], difference = z[i] - w[i];
      const Complex<Real> odd = times(Complex<Real>{difference.im, -difference.re}, turn[i]);
      number[2 * i] = run.has(i) ? k : none;
      number[2 * i + 1] = run.has(i) && mirror != k ? mirror : none;
      made[2 * i] = {scale * (even.re + odd.re), scale * (even.im + odd.im)};
      made[2 * i + 1] = {scale * (even.re - odd.re), scale * (odd.im - even.im)};
    });
    Numbers<Real>{pass, line}.write(number, made);
  }
};

/// The reverse.
template <class Real, template <class> class Numbers = ArrayNumbers>
struct FoldLoad {
  static constexpr bool is_mirrored = true;

  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, const MirroredRun& run,
                               MirroredNumbers<Real> (&made)[MirroredRun::count]) {
    std::uint32_t number[MirroredRun::count], mirror[MirroredRun::count];
    Complex<Real> x[MirroredRun::count], y[MirroredRun::count], turn[MirroredRun::count];
    each<MirroredRun::count>([&](int i) {
      number[i] = run.number(i);
      mirror[i] = pass.points - number[i];
      turn[i] = conjugate(static_cast<const Complex<Real>*>(pass.in.table)[number[i]]);
    });
    const Numbers<Real> numbers{pass, line};
    numbers.read(number, x);
    numbers.read(mirror, y);
    each<MirroredRun::count>([&](int i) {
      // Those at the ends are real.
      if (number[i] == 0) x[i].im = y[i].im = 0;
      const Complex<Real> even = x[i] + conjugate(y[i]);
      const Complex<Real> odd = times(x[i] - conjugate(y[i]), turn[i]);
      made[i] = {{even.re - odd.im, even.im + odd.re}, {even.re + odd.im, odd.re - even.im}};
    });
  }
};

}  // namespace

}  // namespace weft::stockham
