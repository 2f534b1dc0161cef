#pragma once

#include <cstdint>

#include "local/stockham_fold.hpp"
#include "local/stockham_pair.hpp"

/// Transforms of one contiguous line.
namespace weft::stockham {

namespace {

/// The first stage of one contiguous line.
template <int radix, class Real, int lanes, bool swapped>
inline void stage_inside(Inside<Real> inside, ComplexRows<Real, lanes, swapped> from,
                         Real* memory) {
  using V = Vector<Real, lanes>;
  const Real* twiddle = inside.twiddles;
  const std::int32_t* position = inside.rest.load_position;
  for (int j = 0; j < inside.rest.points; j += lanes) {
    Complex<V> z[radix];
    unrolled<radix>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = from.load(j + Index{q} * inside.rest.points);
    });
    butterfly<radix>(z);
    turn_inside(twiddle, z);
    twiddle += 2 * (radix - 1) * lanes;
    unrolled<radix / lanes>([&](auto part) __attribute__((always_inline)) {
      constexpr int start = decltype(part)::number * lanes;
      V re[lanes], im[lanes];
      transpose_part(z, start, re, im);
      const Buffer<Real, lanes> buffer{memory + Index{start} * 2 * inside.rows};
      unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
        constexpr int lane = decltype(number)::number;
        buffer.store(position[j + line_of_lane(lane, lanes)], {re[lane], im[lane]});
      });
    });
  }
}

/// A contiguous line of lanes x lanes points, without a buffer.
template <int lanes, bool swap_input, bool swap_output, class Real>
inline void transform_square(const Inside<Real>& inside, const Real* in, Real* out) {
  using V = Vector<Real, lanes>;
  const ComplexRows<Real, lanes, swap_input> from{const_cast<Real*>(in), 2};
  Complex<V> z[lanes];
  unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
    constexpr int q = decltype(number)::number;
    z[q] = from.load(Index{q} * lanes);
  });
  butterfly<lanes>(z);
  turn_inside(inside.twiddles, z);
  V re[lanes], im[lanes];
  transpose_part(z, 0, re, im);
  unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
    constexpr int lane = decltype(number)::number;
    z[line_of_lane(lane, lanes)] = {re[lane], im[lane]};
  });
  butterfly<lanes>(z);
  const ComplexRows<Real, lanes, swap_output> to{out, 2 * lanes};
  unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
    constexpr int q = decltype(number)::number;
    to.store(q, z[q]);
  });
}

template <int lanes, bool swap_input, bool swap_output, class Real>
inline void transform_inside(Inside<Real> inside, const Real* in, Real* out, Real* memory) {
  using From = ComplexRows<Real, lanes, swap_input>;
  using To = ComplexRows<Real, lanes, swap_output>;
  if constexpr (lanes > 2) {
    if (inside.radix == lanes && inside.rest.points == lanes && inside.rest.count == 1) {
      return transform_square<lanes, swap_input, swap_output>(inside, in, out);
    }
  }
  const bool is_pair = inside.rest.count == 1;
  if (is_pair && with_pair(
                     inside.radix,
                     inside.rest.points, [&](auto first, auto last) __attribute__((always_inline)) {
                       constexpr int a = decltype(first)::number, b = decltype(last)::number;
                       if constexpr (a % lanes == 0 && b % lanes == 0) {
                         transform_pair_inside<a, b>(inside.twiddles,
                                                     From{const_cast<Real*>(in), 2}, To{out, 2},
                                                     Buffer<Real, lanes>{memory});
                       }
                     })) {
    return;
  }
  with_radix(
      inside.radix, [&](auto number) __attribute__((always_inline)) {
        constexpr int radix = decltype(number)::number;
        if constexpr (radix % lanes == 0) {
          stage_inside<radix>(inside, From{const_cast<Real*>(in), 2}, memory);
        }
      });
  for (int start = 0; start < inside.radix; start += lanes) {
    const Buffer<Real, lanes> buffer{memory + Index{start} * 2 * inside.rows};
    run_middle(inside.rest, 0, buffer);
    run_last(inside.rest, buffer, To{out + Index{start} * 2, Index{inside.radix} * 2});
  }
}

/// The transform of one contiguous line, with vectors of neighboring points.
template <class Real, int lanes>
inline void run_inside(const Line<Real>& line, const Real* in, Real* out, Real* memory) {
  const Inside<Real>& inside = line.inside;
  const int n = line.stages.points;
  if (line.form == Form::complex) {
    if (line.backward) return transform_inside<lanes, true, true>(inside, in, out, memory);
    return transform_inside<lanes, false, false>(inside, in, out, memory);
  }
  if (line.form == Form::real_even_forward) {
    transform_inside<lanes, false, false>(inside, in, out, memory);
    out[2 * n] = out[0];
    out[2 * n + 1] = out[1];
    fold_inside<true, lanes>(line, out, out);
    out[1] = out[2 * n + 1] = 0;
    return;
  }
  // The imaginary parts of the first and the last coefficient do not count.
  Real* const folded = memory + Index{inside.radix} * 2 * inside.rows;
  const Real first = in[0], second = in[2 * n];
  fold_inside<false, lanes>(line, in, folded);
  folded[0] = first - second;
  folded[1] = first + second;
  transform_inside<lanes, false, true>(inside, folded, out, memory);
}

}  // namespace

}  // namespace weft::stockham
