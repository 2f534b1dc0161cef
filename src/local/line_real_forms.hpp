#pragma once

// How passes over lines read and write real numbers, and spectra of these.
#include "device/line_entries.hpp"
#include "weft/kernels/fold_forms.hpp"
#include "weft/kernels/line_convolution.hpp"
#include "weft/kernels/line_forms.hpp"
#include "weft/kernels/mirrored_run.hpp"

namespace weft::stockham {

namespace {

/// What is at a place of a line, which may be none: the address is that of its first number then.
template <class Real>
WEFT_INLINE Real* real_at(const LineSide& side, const LinePlace& line, std::int32_t place) {
  return reinterpret_cast<Real*>(side.data) + line.at + (place == no_place ? 0 : place) * side.step;
}

/// Elements at places of both real lines of a complex one. Without a branch for each of them, so
/// that all are on their way together.
template <int count, class Real>
WEFT_INLINE void load_reals(const LineSide& side, const LinePlace& line,
                            const std::int32_t (&place)[count], Complex<Real>* z) {
  if (side.adjacent) {
    each<count>([&](int i) {
      z[i] = *reinterpret_cast<const Complex<Real>*>(real_at<Real>(side, line, place[i]));
    });
  } else {
    const std::int64_t second = line.has_second ? side.second : 0;
    each<count>([&](int i) {
      const Real* const from = real_at<Real>(side, line, place[i]);
      z[i] = {from[0], from[second]};
    });
  }
  each<count>([&](int i) {
    if (place[i] == no_place) z[i].re = 0;
    if (place[i] == no_place || !line.has_second) z[i].im = 0;
  });
}

template <int count, class Real>
WEFT_INLINE void store_reals(const LineSide& side, const LinePlace& line,
                             const std::int32_t (&place)[count], const Complex<Real>* z) {
  if (side.adjacent) {
    each<count>([&](int i) {
      Real* const to = real_at<Real>(side, line, place[i]);
      if (place[i] != no_place) *reinterpret_cast<Complex<Real>*>(to) = z[i];
    });
  } else {
    each<count>([&](int i) {
      Real* const to = real_at<Real>(side, line, place[i]);
      if (place[i] != no_place) to[0] = z[i].re;
      if (place[i] != no_place && line.has_second) to[side.second] = z[i].im;
    });
  }
}

/// Two real lines as real and imaginary parts.
template <class Real>
struct RealNumber {
  template <int count>
  WEFT_INLINE static void read(const LinePass& pass, const LinePlace& line,
                               const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) {
    in_groups<count, known_group(count)>([&](auto begin, auto size) {
      constexpr int first = decltype(begin)::number;
      const Places<decltype(size)::number> known(pass.in, number + first, 1,
                                                 &PlainEntry<Real>::from);
      load_reals(pass.in, line, known.place, z + first);
      known.scale(z + first);
    });
  }

  template <int count>
  WEFT_INLINE static void write(const LinePass& pass, const LinePlace& line,
                                const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) {
    in_groups<count, known_group(count)>([&](auto begin, auto size) {
      constexpr int first = decltype(begin)::number;
      const Places<decltype(size)::number> known(
          pass.out, number + first, static_cast<Real>(pass.scale), &PlainEntry<Real>::to);
      known.scale(z + first);
      store_reals(pass.out, line, known.place, z + first);
    });
  }

 private:
  /// Where numbers are, and what they are multiplied by.
  template <int count>
  struct Places {
    std::int32_t place[count];
    Real factor[count];

    WEFT_INLINE Places(const LineSide& side, const std::uint32_t* number, Real scale,
                       std::int32_t PlainEntry<Real>::*place_of) {
      if (side.table != nullptr) {
        each<count>([&](int i) {
          const PlainEntry<Real> entry =
              static_cast<const PlainEntry<Real>*>(side.table)[number[i]];
          place[i] = entry.*place_of;
          factor[i] = scale * entry.factor;
        });
      } else {
        each<count>([&](int i) {
          place[i] = number[i] < side.stored ? static_cast<std::int32_t>(number[i]) : no_place;
          factor[i] = scale;
        });
      }
    }
    WEFT_INLINE void scale(Complex<Real>* z) const {
      each<count>([&](int i) { z[i] = {factor[i] * z[i].re, factor[i] * z[i].im}; });
    }
  };
};

template <class Real>
WEFT_INLINE Complex<Real> twisted(const PairEntry<Real>& entry, Real first, Real second) {
  return {entry.re * first + entry.im * second, entry.im * first - entry.re * second};
}

/// A real line as a complex one of half as many numbers. One after another, which takes few
/// registers.
template <class Real>
struct RealPair {
  template <int count>
  WEFT_INLINE static void read(const LinePass& pass, const LinePlace& line,
                               const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) {
    each<count>([&](int i) {
      const PairEntry<Real> entry = static_cast<const PairEntry<Real>*>(pass.in.table)[number[i]];
      z[i] =
          twisted(entry, element(pass.in, line, entry.first), element(pass.in, line, entry.second));
    });
  }

  template <int count>
  WEFT_INLINE static void write(const LinePass& pass, const LinePlace& line,
                                const std::uint32_t (&number)[count],
                                const Complex<Real> (&z)[count]) {
    const auto scale = static_cast<Real>(pass.scale);
    each<count>([&](int i) {
      const PartsEntry<Real> entry =
          static_cast<const PartsEntry<Real>*>(pass.out.table)[number[i]];
      for (int which = 0; which < 2; ++which) {
        if (entry.to[which] == no_place) continue;
        *real_at<Real>(pass.out, line, entry.to[which]) =
            scale * (entry.re[which] * z[i].re - entry.im[which] * z[i].im);
      }
    });
  }

 private:
  WEFT_INLINE static Real element(const LineSide& side, const LinePlace& line, std::int32_t place) {
    return place == no_place ? 0 : *real_at<Real>(side, line, place);
  }
};

/// Two Hermitian lines a and b, of which the first halves are enough, as the line a + i b.
template <class Real>
struct MirroredLoad {
  static constexpr bool is_mirrored = true;

  template <int count>
  WEFT_INLINE static MirroredNumbers<Real, count> load(const LinePass& pass, const LinePlace& line,
                                                       const MirroredRun<count>& run) {
    Complex<Real> a[count], b[count];
    if (pass.in.table != nullptr) {
      load_pairs(pass, line, run, a, b);
    } else {
      const auto* const from = reinterpret_cast<const Complex<Real>*>(pass.in.data) + line.at;
      each<count>([&](int i) {
        const bool stored = run.numbers[i] < pass.in.stored;
        const auto* const first = from + run.numbers[i] * pass.in.step;
        a[i] = stored ? first[0] : Complex<Real>{};
        b[i] = stored && line.has_second ? first[pass.in.second] : Complex<Real>{};
      });
    }
    // Their own conjugates: they have no imaginary part.
    if (run.begins()) a[0].im = b[0].im = 0;
    if (run.has_middle) a[count - 1].im = b[count - 1].im = 0;
    MirroredNumbers<Real, count> z;
    each<count>([&](int i) {
      z.number[i] = {a[i].re - b[i].im, a[i].im + b[i].re};
      z.mirror[i] = {a[i].re + b[i].im, b[i].re - a[i].im};
    });
    return z;
  }

 private:
  /// Numbers that are made of two real ones.
  template <int count>
  WEFT_INLINE static void load_pairs(const LinePass& pass, const LinePlace& line,
                                     const MirroredRun<count>& run, Complex<Real> (&a)[count],
                                     Complex<Real> (&b)[count]) {
    PairEntry<Real> entry[count];
    std::int32_t at_first[count], at_second[count];
    each<count>([&](int i) {
      entry[i] = static_cast<const PairEntry<Real>*>(pass.in.table)[run.numbers[i]];
      at_first[i] = entry[i].first;
      at_second[i] = entry[i].second;
    });
    Complex<Real> first[count], second[count];
    load_reals(pass.in, line, at_first, first);
    load_reals(pass.in, line, at_second, second);
    each<count>([&](int i) {
      a[i] = twisted(entry[i], first[i].re, second[i].re);
      b[i] = twisted(entry[i], first[i].im, second[i].im);
    });
  }
};

/// The reverse.
template <class Real>
struct MirroredStore {
  static constexpr bool is_mirrored = true;

  template <int count>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line,
                                const MirroredRun<count>& run,
                                const MirroredNumbers<Real, count>& all) {
    // Twice the numbers of both lines; tables know that.
    Complex<Real> a[count], b[count];
    each<count>([&](int i) {
      const Complex<Real> z = all.number[i], w = all.mirror[i];
      a[i] = {z.re + w.re, z.im - w.im};
      b[i] = {z.im + w.im, w.re - z.re};
    });
    if (pass.out.table != nullptr) return store_parts(pass, line, run, a, b);
    const auto scale = static_cast<Real>(pass.scale / 2);
    auto* const to = reinterpret_cast<Complex<Real>*>(pass.out.data) + line.at;
    each<count>([&](int i) {
      if (!run.numbers.has_below(i, pass.out.stored)) return;
      auto* const first = to + run.numbers[i] * pass.out.step;
      first[0] = {scale * a[i].re, scale * a[i].im};
      if (line.has_second) first[pass.out.second] = {scale * b[i].re, scale * b[i].im};
    });
  }

 private:
  /// Up to two real numbers are made of each.
  template <int count>
  WEFT_INLINE static void store_parts(const LinePass& pass, const LinePlace& line,
                                      const MirroredRun<count>& run,
                                      const Complex<Real> (&a)[count],
                                      const Complex<Real> (&b)[count]) {
    const auto scale = static_cast<Real>(pass.scale);
    std::int32_t place[2 * count];
    Complex<Real> z[2 * count];
    each<count>([&](int i) {
      const PartsEntry<Real> entry =
          static_cast<const PartsEntry<Real>*>(pass.out.table)[run.numbers[i]];
      unrolled<2>([&](auto part) {
        constexpr int which = decltype(part)::number;
        const int to = 2 * i + which;
        place[to] = run.numbers.has(i) ? entry.to[which] : no_place;
        z[to] = {scale * (entry.re[which] * a[i].re - entry.im[which] * a[i].im),
                 scale * (entry.re[which] * b[i].re - entry.im[which] * b[i].im)};
      });
    });
    store_reals(pass.out, line, place, z);
  }
};

/// Forms of passes, as types.
template <LineForm form, class Real>
struct Forms;
template <class Real>
struct Forms<LineForm::whole, Real> {
  using Load = WholeLoad<Real>;
  using Store = WholeStore<Real>;
};
template <class Real>
struct Forms<LineForm::complex, Real> {
  using Load = NumberLoad<ComplexNumber<Real>>;
  using Store = NumberStore<ComplexNumber<Real>>;
};
template <class Real>
struct Forms<LineForm::convolved, Real> {
  using Load = NumberLoad<ComplexNumber<Real>>;
  using Store = ConvolvedStore<Real>;
};
template <class Real>
struct Forms<LineForm::from_packed, Real> {
  using Load = WholeLoad<Real>;
  using Store = FoldStore<Real>;
};
template <class Real>
struct Forms<LineForm::to_packed, Real> {
  using Load = FoldLoad<Real>;
  using Store = WholeStore<Real>;
};
template <class Real>
struct Forms<LineForm::from_reals, Real> {
  using Load = NumberLoad<RealNumber<Real>>;
  using Store = MirroredStore<Real>;
};
template <class Real>
struct Forms<LineForm::to_reals, Real> {
  using Load = MirroredLoad<Real>;
  using Store = NumberStore<RealNumber<Real>>;
};
template <class Real>
struct Forms<LineForm::real_pairs, Real> {
  using Load = NumberLoad<RealPair<Real>>;
  using Store = NumberStore<RealPair<Real>>;
};

}  // namespace

}  // namespace weft::stockham
