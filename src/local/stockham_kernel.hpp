#pragma once

#include "local/stockham_butterfly.hpp"
#include "local/stockham_rows.hpp"

/// Transforms of a group of lines. Included by one file for each instruction set.
namespace weft::stockham {

namespace {

template <class Real, int lanes>
struct LineKernel {
  using V = Vector<Real, lanes>;
  using C = Complex<V>;
  using Lines = Buffer<Real, lanes>;
  using Reordered = Permuted<Real, lanes>;
  template <bool swapped>
  using Rows = ComplexRows<Real, lanes, swapped>;
  template <bool swapped>
  using Pairs = RealPairs<Real, lanes, swapped>;

  /// A stage that others follow; the first one may read its elements elsewhere, `leg` rows apart.
  template <int radix, class From>
  static void early_stage(const Stage<Real>& stage, const From& from, Index leg,
                          const Lines& buffer) {
    for (int group = 0; group < stage.outer; ++group) {
      for (int block = 0; block < stage.blocks; ++block) {
        const Index base = Index{group} * stage.outer_distance + block * stage.block_distance;
        const Real* twiddle = stage.twiddles;
        for (Index j = base; j < base + stage.inner; ++j) {
          C z[radix];
          unrolled<radix>([&](auto number) __attribute__((always_inline)) {
            constexpr int q = decltype(number)::number;
            z[q] = from.load(j + q * leg);
          });
          butterfly<radix>(z);
          buffer.store(j, z[0]);
          unrolled<radix - 1>([&](auto number) __attribute__((always_inline)) {
            constexpr int q = decltype(number)::number + 1;
            const V c = broadcast<V>(twiddle[2 * q - 2]), s = broadcast<V>(twiddle[2 * q - 1]);
            buffer.store(j + q * Index{stage.leg}, turned(z[q], c, s));
          });
          twiddle += 2 * (radix - 1);
        }
      }
    }
  }

  /// The last stage, which writes coefficients in order ...
  template <int radix, class To>
  static void last_stage(const Stages<Real>& stages, const Lines& buffer, const To& to) {
    const Stage<Real>& stage = stages.stage[stages.count - 1];
    const std::int32_t* origin = stages.origin;
    for (int group = 0; group < stage.outer; ++group) {
      for (int block = 0; block < stage.blocks; ++block) {
        C z[radix];
        load_leaf(stage, group, block, buffer, z);
        butterfly<radix>(z);
        const Index start = *origin++;
        unrolled<radix>([&](auto number) __attribute__((always_inline)) {
          constexpr int q = decltype(number)::number;
          to.store(start + Index{q} * stages.step, z[q]);
        });
      }
    }
  }

  /// ... or leaves them where they are.
  template <int radix>
  static void last_stage_in_place(const Stages<Real>& stages, const Lines& buffer) {
    const Stage<Real>& stage = stages.stage[stages.count - 1];
    for (int group = 0; group < stage.outer; ++group) {
      for (int block = 0; block < stage.blocks; ++block) {
        C z[radix];
        const Index base = load_leaf(stage, group, block, buffer, z);
        butterfly<radix>(z);
        unrolled<radix>([&](auto number) __attribute__((always_inline)) {
          constexpr int q = decltype(number)::number;
          buffer.store(base + q * Index{stage.leg}, z[q]);
        });
      }
    }
  }

  template <int radix>
  [[gnu::always_inline]] static Index load_leaf(const Stage<Real>& stage, int group, int block,
                                                const Lines& buffer, C (&z)[radix]) {
    const Index base = Index{group} * stage.outer_distance + block * stage.block_distance;
    unrolled<radix>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = buffer.load(base + q * Index{stage.leg});
    });
    return base;
  }

  template <class Body>
  [[gnu::always_inline]] static void with_radix(int radix, const Body& body) {
    switch (radix) {
      case 1:
        return body(Constant<1>{});
      case 2:
        return body(Constant<2>{});
      case 3:
        return body(Constant<3>{});
      case 4:
        return body(Constant<4>{});
      case 5:
        return body(Constant<5>{});
      case 6:
        return body(Constant<6>{});
      case 7:
        return body(Constant<7>{});
      case 8:
        return body(Constant<8>{});
      case 9:
        return body(Constant<9>{});
      case 10:
        return body(Constant<10>{});
      case 11:
        return body(Constant<11>{});
      case 12:
        return body(Constant<12>{});
      case 13:
        return body(Constant<13>{});
      case 16:
        return body(Constant<16>{});
    }
  }

  template <class From>
  static void first(const Stages<Real>& stages, const From& from, const Lines& buffer) {
    const Stage<Real>& stage = stages.stage[0];
    with_radix(
        stage.radix, [&](auto radix) __attribute__((always_inline)) {
          early_stage<decltype(radix)::number>(stage, from, stage.inner, buffer);
        });
  }

  static void middle(const Stages<Real>& stages, int from_stage, const Lines& buffer) {
    for (int i = from_stage; i + 1 < stages.count; ++i) {
      const Stage<Real>& stage = stages.stage[i];
      with_radix(
          stage.radix, [&](auto radix) __attribute__((always_inline)) {
            early_stage<decltype(radix)::number>(stage, buffer, stage.leg, buffer);
          });
    }
  }

  template <class To>
  static void last(const Stages<Real>& stages, const Lines& buffer, const To& to) {
    with_radix(
        stages.stage[stages.count - 1].radix, [&](auto radix) __attribute__((always_inline)) {
          last_stage<decltype(radix)::number>(stages, buffer, to);
        });
  }

  static void last_in_place(const Stages<Real>& stages, const Lines& buffer) {
    with_radix(
        stages.stage[stages.count - 1].radix, [&](auto radix) __attribute__((always_inline)) {
          last_stage_in_place<decltype(radix)::number>(stages, buffer);
        });
  }

  /// Between the spectrum of a line of reals, 0 ... points, and that of the complex numbers that
  /// pairs of them make (swapped when backward).
  template <bool forward, class From, class To>
  static void fold(const Line<Real>& line, const From& from, const To& to) {
    const int n = line.stages.points;
    if constexpr (forward) {
      const C zero = from.load(0);
      to.store(0, {zero.re + zero.im, V{}});
      to.store(n, {zero.re - zero.im, V{}});
    } else {
      const V sum = from.load(0).re, difference = from.load(n).re;
      to.store(0, {sum - difference, sum + difference});
    }
    for (int k = 1; 2 * k < n; ++k) {
      C a = from.load(k), b = from.load(n - k);
      fold_pair<forward>(a, b, broadcast<V>(line.fold[2 * k]), broadcast<V>(line.fold[2 * k + 1]));
      to.store(k, a);
      to.store(n - k, b);
    }
    if (n % 2 == 0) {
      const C half = from.load(n / 2);
      if constexpr (forward) to.store(n / 2, {half.re, -half.im});
      if constexpr (!forward) to.store(n / 2, {-(half.im + half.im), half.re + half.re});
    }
  }

  /// Coefficients k and n - k.
  template <bool forward>
  [[gnu::always_inline]] static void fold_pair(C& a, C& b, V c, V s) {
    const V share = broadcast<V>(static_cast<Real>(forward ? 0.5 : 1));
    const C even = a + conjugate(b);
    const C odd = turned(a - conjugate(b), c, s);
    a = {multiply_add(share, even.re, odd.re), multiply_add(share, even.im, odd.im)};
    b = {multiply_add(share, even.re, -odd.re), multiply_add(-share, even.im, odd.im)};
    if constexpr (!forward) {
      a = swapped(a);
      b = swapped(b);
    }
  }

  /// Input to buffer, whatever its form and access.
  static void load_all(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const std::int32_t* position = line.stages.load_position;
    const int points = line.stages.points;
    const Index stride = group.in_stride;
    const Mover<Real, lanes> mover{buffer.data, line.in_elements * (line.in_real ? 1 : 2)};
    const auto move = [&](const auto& place) {
      if (group.in_access == Access::lines) {
        mover.load_lines(group.in, place);
      } else if (line.in_real) {
        mover.load_elements(
            group.in, 0, [&](int i) { return i * stride; }, place);
      } else {
        mover.load_elements(
            group.in, 0, [&](int i) { return i / 2 * stride + i % 2; }, place);
      }
    };
    if (line.form == Form::real_odd_forward) {
      if (group.in_access == Access::rows) {
        const Pairs<false> reals{const_cast<Real*>(group.in[0]), stride};
        for (int j = 0; j < points; ++j) buffer.store(position[j], {reals.load_real(j), V{}});
        return;
      }
      move([&](int i) { return 2 * position[i]; });
      for (int j = 0; j < points; ++j) {
        store(buffer.data + (2 * Index{position[j]} + 1) * lanes, V{});
      }
      return;
    }
    // Of even real lines the spectrum is folded before it is swapped.
    const int swap = line.backward && line.form != Form::real_even_backward;
    if (group.in_access == Access::rows && line.form != Form::real_even_forward) {
      const Rows<false> rows{const_cast<Real*>(group.in[0]), stride};
      for (int j = 0; j < line.in_elements; ++j) {
        const C value = rows.load(j);
        buffer.store(position[j], swap ? swapped(value) : value);
      }
    } else {
      move([&](int i) { return 2 * position[i / 2] + (i % 2 ^ swap); });
    }
    if (line.form == Form::real_odd_backward) {
      const Reordered rows{buffer, position};
      rows.store(0, {V{}, rows.load(0).im});
      for (int k = 1; 2 * k < points; ++k) {
        const C value = rows.load(k);
        rows.store(points - k, {-value.re, value.im});
      }
    }
  }

  static void store_all(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const std::int32_t* position = line.stages.store_position;
    const Index stride = group.out_stride;
    const Mover<Real, lanes> mover{buffer.data, line.out_elements * (line.out_real ? 1 : 2)};
    const auto move = [&](const auto& place) {
      if (group.out_access == Access::lines) {
        mover.store_lines(group.out, place);
      } else if (line.out_real) {
        mover.store_elements(
            group.out, 0, [&](int i) { return i * stride; }, place);
      } else {
        mover.store_elements(
            group.out, 0, [&](int i) { return i / 2 * stride + i % 2; }, place);
      }
    };
    const int swap = line.backward;
    if (line.form == Form::real_odd_backward) {
      if (group.out_access == Access::rows) {
        const Pairs<false> reals{group.out[0], stride};
        for (int j = 0; j < line.out_elements; ++j) {
          reals.store_real(j, buffer.load(position[j]).im);
        }
        return;
      }
      move([&](int i) { return 2 * position[i] + swap; });
    } else if (group.out_access == Access::rows) {
      const Rows<false> rows{group.out[0], stride};
      for (int k = 0; k < line.out_elements; ++k) {
        const C value = buffer.load(position[k]);
        rows.store(k, swap ? swapped(value) : value);
      }
    } else {
      move([&](int i) { return 2 * position[i / 2] + (i % 2 ^ swap); });
    }
  }

  /// Everything up to the last stage.
  static void run_early(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const bool rows = group.in_access == Access::rows;
    Real* const in = const_cast<Real*>(group.in[0]);
    const Stages<Real>& stages = line.stages;
    int done = 0;
    if (line.form == Form::real_even_backward) {
      const Reordered reordered{buffer, stages.load_position};
      if (rows) {
        fold<false>(line, Rows<false>{in, group.in_stride}, reordered);
      } else {
        load_all(line, group, buffer);
        fold<false>(line, reordered, reordered);
      }
    } else if (rows && stages.count > 1 && line.form == Form::complex) {
      if (line.backward) first(stages, Rows<true>{in, group.in_stride}, buffer);
      if (!line.backward) first(stages, Rows<false>{in, group.in_stride}, buffer);
      done = 1;
    } else if (rows && stages.count > 1 && line.form == Form::real_even_forward) {
      first(stages, Pairs<false>{in, group.in_stride}, buffer);
      done = 1;
    } else {
      load_all(line, group, buffer);
    }
    middle(stages, done, buffer);
  }

  /// Lines of one stage go through registers only.
  template <bool swapped>
  static void run_short(const Stages<Real>& stages, const Group<Real>& group) {
    const Rows<swapped> from{const_cast<Real*>(group.in[0]), group.in_stride};
    const Rows<swapped> to{group.out[0], group.out_stride};
    with_radix(
        stages.points, [&](auto number) __attribute__((always_inline)) {
          constexpr int radix = decltype(number)::number;
          C z[radix];
          unrolled<radix>([&](auto element) __attribute__((always_inline)) {
            constexpr int q = decltype(element)::number;
            z[q] = from.load(q);
          });
          butterfly<radix>(z);
          unrolled<radix>([&](auto element) __attribute__((always_inline)) {
            constexpr int q = decltype(element)::number;
            to.store(q, z[q]);
          });
        });
  }

  static void run(const Line<Real>& line, const Group<Real>& group, Real* memory) {
    const bool all_rows = group.in_access == Access::rows && group.out_access == Access::rows;
    if (all_rows && line.form == Form::complex && line.stages.count == 1) {
      return line.backward ? run_short<true>(line.stages, group)
                           : run_short<false>(line.stages, group);
    }
    const Lines buffer{memory};
    run_early(line, group, buffer);
    const bool rows = group.out_access == Access::rows;
    Real* const out = group.out[0];
    const Index stride = group.out_stride;
    const Stages<Real>& stages = line.stages;
    if (line.form == Form::real_even_forward) {
      const Reordered reordered{buffer, stages.store_position};
      last_in_place(stages, buffer);
      if (rows) return fold<true>(line, reordered, Rows<false>{out, stride});
      fold<true>(line, reordered, reordered);
    } else if (rows && line.form == Form::complex) {
      if (line.backward) return last(stages, buffer, Rows<true>{out, stride});
      return last(stages, buffer, Rows<false>{out, stride});
    } else if (rows && line.form == Form::real_even_backward) {
      return last(stages, buffer, Pairs<true>{out, stride});
    } else {
      last_in_place(stages, buffer);
    }
    store_all(line, group, buffer);
  }

  template <int radix>
  [[gnu::always_inline]] static void turn_inside(const Real* twiddle, C (&z)[radix]) {
    unrolled<radix - 1>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number + 1;
      const V c = load<V>(twiddle + (2 * q - 2) * lanes);
      const V s = load<V>(twiddle + (2 * q - 1) * lanes);
      z[q] = turned(z[q], c, s);
    });
  }

  template <int radix>
  [[gnu::always_inline]] static void transpose_part(const C (&z)[radix], int start, V (&re)[lanes],
                                                    V (&im)[lanes]) {
    unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
      constexpr int lane = decltype(number)::number;
      re[lane] = z[start + line_of_lane(lane, lanes)].re;
      im[lane] = z[start + line_of_lane(lane, lanes)].im;
    });
    transpose(re);
    transpose(im);
  }

  /// The first stage of one contiguous line.
  template <int radix, class From>
  static void stage_inside(const Inside<Real>& inside, const From& from, Real* memory) {
    const Real* twiddle = inside.twiddles;
    const std::int32_t* position = inside.rest.load_position;
    for (int j = 0; j < inside.rest.points; j += lanes) {
      C z[radix];
      unrolled<radix>([&](auto number) __attribute__((always_inline)) {
        constexpr int q = decltype(number)::number;
        z[q] = from.load(j + Index{q} * inside.rest.points);
      });
      butterfly<radix>(z);
      turn_inside<radix>(twiddle, z);
      twiddle += 2 * (radix - 1) * lanes;
      unrolled<radix / lanes>([&](auto part) __attribute__((always_inline)) {
        constexpr int start = decltype(part)::number * lanes;
        V re[lanes], im[lanes];
        transpose_part<radix>(z, start, re, im);
        const Lines buffer{memory + Index{start} * 2 * inside.rows};
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int lane = decltype(number)::number;
          buffer.store(position[j + line_of_lane(lane, lanes)], {re[lane], im[lane]});
        });
      });
    }
  }

  /// A contiguous line of lanes x lanes points, without a buffer.
  template <bool swap_input, bool swap_output>
  static void transform_square(const Inside<Real>& inside, const Real* in, Real* out) {
    const Rows<swap_input> from{const_cast<Real*>(in), 2};
    C z[lanes];
    unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      z[q] = from.load(Index{q} * lanes);
    });
    butterfly<lanes>(z);
    turn_inside<lanes>(inside.twiddles, z);
    V re[lanes], im[lanes];
    transpose_part<lanes>(z, 0, re, im);
    unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
      constexpr int lane = decltype(number)::number;
      z[line_of_lane(lane, lanes)] = {re[lane], im[lane]};
    });
    butterfly<lanes>(z);
    const Rows<swap_output> to{out, 2 * lanes};
    unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
      constexpr int q = decltype(number)::number;
      to.store(q, z[q]);
    });
  }

  template <bool swap_input, bool swap_output>
  static void transform_inside(const Inside<Real>& inside, const Real* in, Real* out,
                               Real* memory) {
    if constexpr (lanes > 2) {
      if (inside.radix == lanes && inside.rest.points == lanes && inside.rest.count == 1) {
        return transform_square<swap_input, swap_output>(inside, in, out);
      }
    }
    with_radix(
        inside.radix, [&](auto number) __attribute__((always_inline)) {
          constexpr int radix = decltype(number)::number;
          if constexpr (radix % lanes == 0) {
            stage_inside<radix>(inside, Rows<swap_input>{const_cast<Real*>(in), 2}, memory);
          }
        });
    for (int start = 0; start < inside.radix; start += lanes) {
      const Lines buffer{memory + Index{start} * 2 * inside.rows};
      middle(inside.rest, 0, buffer);
      last(inside.rest, buffer, Rows<swap_output>{out + Index{start} * 2, Index{inside.radix} * 2});
    }
  }

  /// fold() of one contiguous line. Of the coefficients 0 and n of a complex line, which are the
  /// same, the first one is given.
  template <bool forward>
  static void fold_inside(const Line<Real>& line, const Real* in, Real* out) {
    const Rows<false> from{const_cast<Real*>(in), 2}, to{out, 2},
        factors{const_cast<Real*>(line.fold), 2};
    const auto mirror = [](C a) __attribute__((always_inline)) {
      constexpr typename MakeSequence<lanes>::Type all{};
      return C{reversed(a.re, all), reversed(a.im, all)};
    };
    const int n = line.stages.points;
    const Real half[2] = {in[n], in[n + 1]};
    for (int k = 0; 2 * k < n; k += lanes) {
      const int opposite = n - k - (lanes - 1);
      C a = from.load(k), b = mirror(from.load(opposite));
      const C factor = factors.load(k);
      fold_pair<forward>(a, b, factor.re, factor.im);
      to.store(k, a);
      to.store(opposite, mirror(b));
    }
    out[n] = forward ? half[0] : -(half[1] + half[1]);
    out[n + 1] = forward ? -half[1] : half[0] + half[0];
  }

  static void run_inside(const Line<Real>& line, const Real* in, Real* out, Real* memory) {
    const Inside<Real>& inside = line.inside;
    const int n = line.stages.points;
    if (line.form == Form::complex) {
      if (line.backward) return transform_inside<true, true>(inside, in, out, memory);
      return transform_inside<false, false>(inside, in, out, memory);
    }
    if (line.form == Form::real_even_forward) {
      transform_inside<false, false>(inside, in, out, memory);
      out[2 * n] = out[0];
      out[2 * n + 1] = out[1];
      fold_inside<true>(line, out, out);
      out[1] = out[2 * n + 1] = 0;
      return;
    }
    // The imaginary parts of the first and the last coefficient do not count.
    Real* const folded = memory + Index{inside.radix} * 2 * inside.rows;
    const Real first = in[0], second = in[2 * n];
    fold_inside<false>(line, in, folded);
    folded[0] = first - second;
    folded[1] = first + second;
    transform_inside<false, true>(inside, folded, out, memory);
  }
};

template <class Real, int vector_bytes>
constexpr Kernel<Real> kernel_of() {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  return {lanes, LineKernel<Real, lanes>::run, LineKernel<Real, lanes>::run_inside};
}

template <class Real, int vector_bytes>
constexpr Kernels<Real> kernels_of() {
  constexpr int half_bytes = vector_bytes > 16 ? vector_bytes / 2 : 16;
  return {kernel_of<Real, vector_bytes>(), kernel_of<Real, half_bytes>(), kernel_of<Real, 16>()};
}

}  // namespace

}  // namespace weft::stockham
