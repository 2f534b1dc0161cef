#pragma once

#include "local/stockham_stages.hpp"
#include "local/stockham_transpose.hpp"

/// Transforms of two stages, both known to the compiler. With short lines finding out what a stage
/// has to do takes as long as doing it: with AVX2 lines of 64 points take 0.7 of the time side by
/// side or contiguous, of 32 points 0.5 to 0.75, of 96 and more as long as before.
namespace weft::stockham {

namespace {

/// Calls body(Constant<first>, Constant<last>) for the pairs of radices that are compiled so. False
/// for others.
template <class Body>
[[gnu::always_inline]] inline bool with_pair(int first, int last, const Body& body) {
  if (last != 8) return false;
  if (first == 4) body(Constant<4>{}, Constant<8>{});
  if (first == 8) body(Constant<8>{}, Constant<8>{});
  return first == 4 || first == 8;
}

/// Of lines side by side. The buffer is as early_stage() leaves it.
template <int first, int last, class Real, int lanes, class From, class To>
inline void transform_pair(const Real* twiddle, From from, To to, Buffer<Real, lanes> buffer) {
  using V = Vector<Real, lanes>;
  constexpr int leg = last + (last % 2 == 0 ? 1 : 0);
  for (int j = 0; j < last; ++j) {
    Complex<V> z[first];
    unrolled<first>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = from.load(j + q * last);
    });
    butterfly<first>(z);
    buffer.store(j, z[0]);
    unrolled<first - 1>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number + 1;
      const V c = broadcast<V>(twiddle[2 * q - 2]), s = broadcast<V>(twiddle[2 * q - 1]);
      buffer.store(j + q * leg, turned(z[q], c, s));
    });
    twiddle += 2 * (first - 1);
  }
  for (int k = 0; k < first; ++k) {
    Complex<V> z[last];
    unrolled<last>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = buffer.load(k * leg + q);
    });
    butterfly<last>(z);
    unrolled<last>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      to.store(k + q * first, z[q]);
    });
  }
}

template <int radix, class Real, class V>
[[gnu::always_inline]] inline void turn_inside(const Real* twiddle, Complex<V> (&z)[radix]) {
  constexpr int lanes = sizeof(V) / sizeof(Real);
  unrolled<radix - 1>([&](auto number) __attribute__((always_inline)) {
    constexpr int q = decltype(number)::number + 1;
    const V c = load<V>(twiddle + (2 * q - 2) * lanes);
    const V s = load<V>(twiddle + (2 * q - 1) * lanes);
    z[q] = turned(z[q], c, s);
  });
}

template <int radix, int lanes, class V>
[[gnu::always_inline]] inline void transpose_part(const Complex<V> (&z)[radix], int start,
                                                  V (&re)[lanes], V (&im)[lanes]) {
  unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
    constexpr int lane = decltype(number)::number;
    re[lane] = z[start + line_of_lane(lane, lanes)].re;
    im[lane] = z[start + line_of_lane(lane, lanes)].im;
  });
  transpose(re);
  transpose(im);
}

/// Of one contiguous line: stage_inside(), and the last stage of the shorter lines that it makes.
template <int first, int last, class Real, int lanes, bool swap_input, bool swap_output>
inline void transform_pair_inside(const Real* twiddles, ComplexRows<Real, lanes, swap_input> from,
                                  ComplexRows<Real, lanes, swap_output> to,
                                  Buffer<Real, lanes> buffer) {
  using V = Vector<Real, lanes>;
  unrolled<last / lanes>([&](auto block) __attribute__((always_inline)) {
    constexpr int j = decltype(block)::number * lanes;
    Complex<V> z[first];
    unrolled<first>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = from.load(j + q * last);
    });
    butterfly<first>(z);
    turn_inside(twiddles + j * 2 * (first - 1), z);
    unrolled<first / lanes>([&](auto part) __attribute__((always_inline)) {
      constexpr int start = decltype(part)::number * lanes;
      V re[lanes], im[lanes];
      transpose_part(z, start, re, im);
      unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
        constexpr int lane = decltype(number)::number;
        const int row = start / lanes * last + j + line_of_lane(lane, lanes);
        buffer.store(row, {re[lane], im[lane]});
      });
    });
  });
  unrolled<first / lanes>([&](auto part) __attribute__((always_inline)) {
    constexpr int start = decltype(part)::number * lanes;
    Complex<V> z[last];
    unrolled<last>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = buffer.load(start / lanes * last + q);
    });
    butterfly<last>(z);
    unrolled<last>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      to.store(start + q * first, z[q]);
    });
  });
}

}  // namespace

}  // namespace weft::stockham
