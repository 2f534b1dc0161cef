#pragma once

// How passes over real lines that are stored as complex ones of half as many numbers read and write
// their spectra.
#include "weft/kernels/mirrored_run.hpp"

namespace weft::stockham {

namespace {

/// The numbers of a spectrum, where they are those of an array.
template <class Real>
struct ArrayNumbers {
  const LinePass& pass;
  const LinePlace& line;

  /// Those that are not stored are zero.
  template <int count>
  WEFT_INLINE void read(const SpacedNumbers<count>& numbers, Complex<Real> (&z)[count]) const {
    const auto* const from = begin(pass.in, numbers.first);
    const std::int64_t step = opaque(numbers.step * pass.in.step);
    each<count>([&](int i) {
      z[i] = numbers.has_below(i, pass.in.stored) ? from[i * step] : Complex<Real>{};
    });
  }
  /// Drops those that are not stored.
  template <int count>
  WEFT_INLINE void write(const SpacedNumbers<count>& numbers, const Complex<Real> (&z)[count]) {
    auto* const to = begin(pass.out, numbers.first);
    const std::int64_t step = opaque(numbers.step * pass.out.step);
    each<count>([&](int i) {
      if (numbers.has_below(i, pass.out.stored)) to[i * step] = z[i];
    });
  }

 private:
  WEFT_INLINE Complex<Real>* begin(const LineSide& side, std::uint32_t number) const {
    return reinterpret_cast<Complex<Real>*>(side.data) + (line.at + number * side.step);
  }
};

/// Neighboring numbers of a real line are one complex number: the spectrum of the line is made of
/// number k of that of the complex line and its mirror image.
template <class Real, template <class> class Numbers = ArrayNumbers>
struct FoldStore {
  static constexpr bool is_mirrored = true;

  template <int count>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line,
                                const MirroredRun<count>& run, MirroredNumbers<Real, count> z) {
    const auto scale = static_cast<Real>(pass.scale / 2);
    each<count>([&](int i) {
      const auto [re, im] = static_cast<const Complex<Real>*>(pass.out.table)[run.numbers[i]];
      const Complex<Real> w = conjugate(z.mirror[i]);
      const Complex<Real> even = z.number[i] + w, difference = z.number[i] - w;
      const Complex<Real> odd = turned({difference.im, -difference.re}, scale * re, scale * im);
      z.number[i] = {multiply_add(scale, even.re, odd.re), multiply_add(scale, even.im, odd.im)};
      z.mirror[i] = {multiply_add(scale, even.re, -odd.re), multiply_add(-scale, even.im, odd.im)};
    });
    Numbers<Real> spectrum{pass, line};
    spectrum.write(run.numbers, z.number);
    SpacedNumbers<count> mirrors = run.mirrors;
    if (run.has_middle) mirrors.has_last = false;
    spectrum.write(mirrors, z.mirror);
  }
};

/// The reverse.
template <class Real, template <class> class Numbers = ArrayNumbers>
struct FoldLoad {
  static constexpr bool is_mirrored = true;

  template <int count>
  WEFT_INLINE static MirroredNumbers<Real, count> load(const LinePass& pass, const LinePlace& line,
                                                       const MirroredRun<count>& run) {
    Complex<Real> x[count], y[count];
    const Numbers<Real> spectrum{pass, line};
    spectrum.read(run.numbers, x);
    spectrum.read(run.mirrors, y);
    // Those at the ends are real.
    if (run.begins()) x[0].im = y[0].im = 0;
    MirroredNumbers<Real, count> made;
    each<count>([&](int i) {
      const Complex<Real> turn =
          conjugate(static_cast<const Complex<Real>*>(pass.in.table)[run.numbers[i]]);
      const Complex<Real> even = x[i] + conjugate(y[i]);
      const Complex<Real> odd = times(x[i] - conjugate(y[i]), turn);
      made.number[i] = {even.re - odd.im, even.im + odd.re};
      made.mirror[i] = {even.re + odd.im, odd.re - even.im};
    });
    return made;
  }
};

}  // namespace

}  // namespace weft::stockham
