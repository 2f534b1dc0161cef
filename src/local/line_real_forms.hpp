#pragma once

// How passes over lines read and write real numbers, and spectra of these.
#include "device/line_step.hpp"
#include "weft/kernels/fold_forms.hpp"
#include "weft/kernels/line_forms.hpp"

namespace weft::stockham {

namespace {

/// Elements at a place of both real lines of a complex one.
template <class Real>
WEFT_INLINE Complex<Real> load_reals(const LineSide& side, const LinePlace& line,
                                     std::int32_t place) {
  if (place == no_place) return {};
  const Real* const from = reinterpret_cast<const Real*>(side.data) + line.at + place * side.step;
  if (side.adjacent) return *reinterpret_cast<const Complex<Real>*>(from);
  return {from[0], line.has_second ? from[side.second] : Real{0}};
}

template <class Real>
WEFT_INLINE void store_reals(const LineSide& side, const LinePlace& line, std::int32_t place,
                             Complex<Real> z) {
  if (place == no_place) return;
  Real* const to = reinterpret_cast<Real*>(side.data) + line.at + place * side.step;
  if (side.adjacent) {
    *reinterpret_cast<Complex<Real>*>(to) = z;
    return;
  }
  to[0] = z.re;
  if (line.has_second) to[side.second] = z.im;
}

/// Two real lines as real and imaginary parts.
template <class Real>
struct RealNumber {
  WEFT_INLINE static Complex<Real> number(const LinePass& pass, const LinePlace& line,
                                          std::uint32_t number) {
    const LineSide& side = pass.in;
    if (side.table == nullptr) return load_reals<Real>(side, line, stored_place(side, number));
    const PlainEntry<Real> entry = static_cast<const PlainEntry<Real>*>(side.table)[number];
    const Complex<Real> z = load_reals<Real>(side, line, entry.from);
    return {entry.factor * z.re, entry.factor * z.im};
  }

  WEFT_INLINE static void put(const LinePass& pass, const LinePlace& line, std::uint32_t number,
                              Complex<Real> z) {
    const LineSide& side = pass.out;
    auto factor = static_cast<Real>(pass.scale);
    std::int32_t place = 0;
    if (side.table == nullptr) {
      place = stored_place(side, number);
    } else {
      const PlainEntry<Real> entry = static_cast<const PlainEntry<Real>*>(side.table)[number];
      place = entry.to;
      factor *= entry.factor;
    }
    store_reals<Real>(side, line, place, {factor * z.re, factor * z.im});
  }

 private:
  WEFT_INLINE static std::int32_t stored_place(const LineSide& side, std::uint32_t number) {
    return number < side.stored ? static_cast<std::int32_t>(number) : no_place;
  }
};

template <class Real>
WEFT_INLINE Complex<Real> twisted(const PairEntry<Real>& entry, Real first, Real second) {
  return {entry.re * first + entry.im * second, entry.im * first - entry.re * second};
}

/// A real line as a complex one of half as many numbers.
template <class Real>
struct RealPair {
  WEFT_INLINE static Complex<Real> number(const LinePass& pass, const LinePlace& line,
                                          std::uint32_t number) {
    const PairEntry<Real> entry = static_cast<const PairEntry<Real>*>(pass.in.table)[number];
    return twisted(entry, element(pass.in, line, entry.first),
                   element(pass.in, line, entry.second));
  }

  WEFT_INLINE static void put(const LinePass& pass, const LinePlace& line, std::uint32_t number,
                              Complex<Real> z) {
    const PartsEntry<Real> entry = static_cast<const PartsEntry<Real>*>(pass.out.table)[number];
    const auto scale = static_cast<Real>(pass.scale);
    for (int which = 0; which < 2; ++which) {
      if (entry.to[which] == no_place) continue;
      reinterpret_cast<Real*>(pass.out.data)[line.at + entry.to[which] * pass.out.step] =
          scale * (entry.re[which] * z.re - entry.im[which] * z.im);
    }
  }

 private:
  WEFT_INLINE static Real element(const LineSide& side, const LinePlace& line, std::int32_t place) {
    if (place == no_place) return 0;
    return reinterpret_cast<const Real*>(side.data)[line.at + place * side.step];
  }
};

/// Two Hermitian lines a and b, of which the first halves are enough, as the line a + i b.
template <class Real>
struct MirroredLoad {
  static constexpr bool is_mirrored = true;

  WEFT_INLINE static MirroredNumbers<Real> load(const LinePass& pass, const LinePlace& line,
                                                std::uint32_t k) {
    Complex<Real> a, b;
    if (pass.in.table != nullptr) {
      const PairEntry<Real> entry = static_cast<const PairEntry<Real>*>(pass.in.table)[k];
      const Complex<Real> first = load_reals<Real>(pass.in, line, entry.first);
      const Complex<Real> second = load_reals<Real>(pass.in, line, entry.second);
      a = twisted(entry, first.re, second.re);
      b = twisted(entry, first.im, second.im);
    } else {
      const bool stored = k < pass.in.stored;
      const auto* const from =
          reinterpret_cast<const Complex<Real>*>(pass.in.data) + line.at + k * pass.in.step;
      a = stored ? from[0] : Complex<Real>{};
      b = stored && line.has_second ? from[pass.in.second] : Complex<Real>{};
    }
    // Its own conjugate: it has no imaginary part.
    if (k == 0 || pass.points == 2 * k) return {{a.re, b.re}, {}};
    return {{a.re - b.im, a.im + b.re}, {a.re + b.im, b.re - a.im}};
  }
};

/// The reverse.
template <class Real>
struct MirroredStore {
  static constexpr bool is_mirrored = true;

  template <class Stage>
  WEFT_INLINE static void store(const LinePass& pass, const Stage& stage, const LinePlace& line,
                                std::uint32_t k, const Complex<Real>* rows) {
    const std::uint32_t mirror = reversed(k, pass.points);
    const Complex<Real> z = rows[stage.row_of(k)];
    const Complex<Real> w = rows[stage.row_of(mirror)];
    // Twice the numbers of both lines; tables know that.
    const Complex<Real> a{z.re + w.re, z.im - w.im};
    const Complex<Real> b{z.im + w.im, w.re - z.re};
    if (!line.exists) return;
    if (pass.out.table != nullptr) {
      const PartsEntry<Real> entry = static_cast<const PartsEntry<Real>*>(pass.out.table)[k];
      const auto scale = static_cast<Real>(pass.scale);
      for (int which = 0; which < 2; ++which) {
        store_reals<Real>(pass.out, line, entry.to[which],
                          {scale * (entry.re[which] * a.re - entry.im[which] * a.im),
                           scale * (entry.re[which] * b.re - entry.im[which] * b.im)});
      }
      return;
    }
    if (k >= pass.out.stored) return;
    const auto scale = static_cast<Real>(pass.scale / 2);
    auto* const to = reinterpret_cast<Complex<Real>*>(pass.out.data) + line.at + k * pass.out.step;
    to[0] = {scale * a.re, scale * a.im};
    if (line.has_second) to[pass.out.second] = {scale * b.re, scale * b.im};
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
