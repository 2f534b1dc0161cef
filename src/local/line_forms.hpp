#pragma once

// How passes over lines read numbers and write them.
#include "codec/host_device.hpp"
#include "local/line_pass.hpp"
#include "local/stockham_vector.hpp"

namespace weft::stockham {

namespace {

/// Where a line begins on one side.
struct LinePlace {
  std::int64_t at = 0;
  bool exists = false;
  bool has_second = true;
  std::uint32_t twist = 0;  ///< its index in the loop of the twist
};

WEFT_INLINE LinePlace locate(const LinePass& pass, const LineSide& side, std::uint32_t line) {
  LinePlace place;
  place.exists = line < pass.lines;
  if (!place.exists) line = pass.lines - 1;
  for (int loop = static_cast<int>(pass.loops) - 1; loop >= 0; --loop) {
    const std::uint32_t i = loop > 0 ? take(line, pass.loop[loop]) : line;
    place.at += i * side.loop_step[loop];
    const auto number = static_cast<std::uint32_t>(loop);
    if (number == pass.odd_loop && i == pass.odd_place) place.has_second = false;
    if (number == pass.twist.loop) place.twist = i;
  }
  return place;
}

/// Transforms are forward; swapped parts before and after make one backward.
template <class Real>
WEFT_INLINE Complex<Real> oriented(const LinePass& pass, Complex<Real> z) {
  return pass.backward ? swapped(z) : z;
}

template <class Real>
WEFT_INLINE Complex<Real> times(Complex<Real> a, Complex<Real> b) {
  return turned(a, b.re, b.im);
}

/// Numbers of arrays are read once: they leave the nearest cache to tables.
WEFT_INLINE Complex<float> read_once(const Complex<float>* from) {
#if WEFT_ON_DEVICE && !defined(WEFT_HIP)
  const float2 z = __ldcg(reinterpret_cast<const float2*>(from));
  return {z.x, z.y};
#else
  return *from;
#endif
}
WEFT_INLINE Complex<double> read_once(const Complex<double>* from) {
#if WEFT_ON_DEVICE && !defined(WEFT_HIP)
  const double2 z = __ldcg(reinterpret_cast<const double2*>(from));
  return {z.x, z.y};
#else
  return *from;
#endif
}

template <int radix, class Real>
WEFT_INLINE void swap_parts(Complex<Real> (&z)[radix]) {
  unrolled<radix>([&](auto q) {
    constexpr int i = decltype(q)::number;
    z[i] = swapped(z[i]);
  });
}

/// Complex lines whose numbers are all stored.
template <class Real>
struct WholeLoad {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                               std::uint32_t distance, Complex<Real> (&z)[radix]) {
    const auto* const from =
        reinterpret_cast<const Complex<Real>*>(pass.in.data) + (line.at + first * pass.in.step);
    const std::int64_t step = distance * pass.in.step;
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      z[i] = read_once(from + i * step);
    });
    if (pass.backward) swap_parts(z);
  }
};

template <class Real>
struct WholeStore {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    auto* const to =
        reinterpret_cast<Complex<Real>*>(pass.out.data) + (line.at + first * pass.out.step);
    const std::int64_t step = distance * pass.out.step;
    if (pass.backward) swap_parts(z);
    if (pass.scale != 1) {
      const auto scale = static_cast<Real>(pass.scale);
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        z[i] = {scale * z[i].re, scale * z[i].im};
      });
    }
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      to[i * step] = z[i];
    });
  }
};

/// Forms that are read and written number by number.
template <class Form>
struct NumberLoad {
  static constexpr bool is_mirrored = false;

  template <int radix, class Real>
  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                               std::uint32_t distance, Complex<Real> (&z)[radix]) {
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      z[i] = oriented(pass, Form::number(pass, line, first + i * distance));
    });
  }
};

template <class Form>
struct NumberStore {
  static constexpr bool is_mirrored = false;

  template <int radix, class Real>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      Form::put(pass, line, first + i * distance, oriented(pass, z[i]));
    });
  }
};

WEFT_INLINE std::int32_t place_of(const LineSide& side, std::uint32_t number) {
  return side.table == nullptr ? static_cast<std::int32_t>(number)
                               : static_cast<const std::int32_t*>(side.table)[number];
}

template <class Real>
struct ComplexNumber {
  WEFT_INLINE static Complex<Real> number(const LinePass& pass, const LinePlace& line,
                                          std::uint32_t number) {
    const LineSide& side = pass.in;
    const std::int32_t place = place_of(side, number);
    if (place == no_place) return {};
    Complex<Real> z =
        reinterpret_cast<const Complex<Real>*>(side.data)[line.at + place * side.step];
    if (side.factors != nullptr) {
      z = times(z, static_cast<const Complex<Real>*>(side.factors)[number]);
    }
    return z;
  }

  WEFT_INLINE static void put(const LinePass& pass, const LinePlace& line, std::uint32_t number,
                              Complex<Real> z) {
    const LineSide& side = pass.out;
    const std::int32_t place = place_of(side, number);
    if (place == no_place) return;
    if (side.factors != nullptr) {
      z = times(z, static_cast<const Complex<Real>*>(side.factors)[number]);
    }
    if (pass.twist.fine != nullptr) z = times(z, twist(pass, line, number));
    const auto scale = static_cast<Real>(pass.scale);
    reinterpret_cast<Complex<Real>*>(side.data)[line.at + place * side.step] = {scale * z.re,
                                                                                scale * z.im};
  }

 private:
  WEFT_INLINE static Complex<Real> twist(const LinePass& pass, const LinePlace& line,
                                         std::uint32_t number) {
    const std::uint64_t exponent = std::uint64_t{number} * line.twist;
    const std::uint64_t coarse = exponent >> pass.twist.fine_log2;
    const Complex<Real> fine = static_cast<const Complex<Real>*>(
        pass.twist.fine)[exponent - (coarse << pass.twist.fine_log2)];
    const Complex<Real> root =
        times(static_cast<const Complex<Real>*>(pass.twist.coarse)[coarse], fine);
    return pass.backward ? root : conjugate(root);
  }
};

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

  /// Number k and its mirror image.
  template <class Stage>
  WEFT_INLINE static void load(const LinePass& pass, const Stage& stage, const LinePlace& line,
                               std::uint32_t k, Complex<Real>* rows) {
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
    const std::uint32_t mirror = k == 0 ? 0 : pass.points - k;
    if (mirror == k) {
      // Its own conjugate: it has no imaginary part.
      rows[stage.row_of(k)] = oriented(pass, Complex<Real>{a.re, b.re});
      return;
    }
    rows[stage.row_of(k)] = oriented(pass, Complex<Real>{a.re - b.im, a.im + b.re});
    rows[stage.row_of(mirror)] = oriented(pass, Complex<Real>{a.re + b.im, b.re - a.im});
  }
};

/// The reverse.
template <class Real>
struct MirroredStore {
  static constexpr bool is_mirrored = true;

  template <class Stage>
  WEFT_INLINE static void store(const LinePass& pass, const Stage& stage, const LinePlace& line,
                                std::uint32_t k, const Complex<Real>* rows) {
    const std::uint32_t mirror = k == 0 ? 0 : pass.points - k;
    const Complex<Real> z = oriented(pass, rows[stage.row_of(k)]);
    const Complex<Real> w = oriented(pass, rows[stage.row_of(mirror)]);
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

}  // namespace

}  // namespace weft::stockham
