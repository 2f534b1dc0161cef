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
  using Rows = ComplexRows<Real, lanes>;
  using Pairs = RealPairs<Real, lanes>;

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
  static void last_stage(const Line<Real>& line, const Lines& buffer, const To& to) {
    const Stage<Real>& stage = line.stage[line.stages - 1];
    const std::int32_t* origin = line.origin;
    for (int group = 0; group < stage.outer; ++group) {
      for (int block = 0; block < stage.blocks; ++block) {
        C z[radix];
        load_leaf(stage, group, block, buffer, z);
        butterfly<radix>(z);
        const Index start = *origin++;
        to.store(start == line.points ? 0 : start, z[0]);
        unrolled<radix - 1>([&](auto number) __attribute__((always_inline)) {
          constexpr int q = decltype(number)::number + 1;
          to.store(start + Index{q} * line.step, z[q]);
        });
      }
    }
  }

  /// ... or leaves them where they are.
  template <int radix>
  static void last_stage_in_place(const Line<Real>& line, const Lines& buffer) {
    const Stage<Real>& stage = line.stage[line.stages - 1];
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
  static void first(const Line<Real>& line, const From& from, Index leg, const Lines& buffer) {
    with_radix(
        line.stage[0].radix, [&](auto radix) __attribute__((always_inline)) {
          early_stage<decltype(radix)::number>(line.stage[0], from, leg, buffer);
        });
  }

  static void middle(const Line<Real>& line, const Lines& buffer, int from_stage) {
    for (int i = from_stage; i + 1 < line.stages; ++i) {
      const Stage<Real>& stage = line.stage[i];
      with_radix(
          stage.radix, [&](auto radix) __attribute__((always_inline)) {
            early_stage<decltype(radix)::number>(stage, buffer, stage.leg, buffer);
          });
    }
  }

  template <class To>
  static void last(const Line<Real>& line, const Lines& buffer, const To& to) {
    with_radix(
        line.stage[line.stages - 1].radix, [&](auto radix) __attribute__((always_inline)) {
          last_stage<decltype(radix)::number>(line, buffer, to);
        });
  }

  static void last_in_place(const Line<Real>& line, const Lines& buffer) {
    with_radix(
        line.stage[line.stages - 1].radix, [&](auto radix) __attribute__((always_inline)) {
          last_stage_in_place<decltype(radix)::number>(line, buffer);
        });
  }

  /// Between the spectrum of a line of reals, 0 ... points, and that of the complex numbers that
  /// pairs of them make.
  template <class From, class To>
  static void fold(const Line<Real>& line, const From& from, const To& to) {
    const bool forward = line.form == Form::real_even_forward;
    const int n = line.points;
    if (forward) {
      const C zero = from.load(0);
      to.store(0, {zero.re + zero.im, V{}});
      to.store(n, {zero.re - zero.im, V{}});
    } else {
      const V first = from.load(0).re, second = from.load(n).re;
      to.store(0, {first + second, first - second});
    }
    const V share = broadcast<V>(static_cast<Real>(forward ? 0.5 : 1));
    for (int k = 1; 2 * k < n; ++k) {
      const C a = from.load(k), b = conjugate(from.load(n - k));
      const C even = a + b;
      const C odd =
          turned(a - b, broadcast<V>(line.fold[2 * k]), broadcast<V>(line.fold[2 * k + 1]));
      to.store(k, {multiply_add(share, even.re, odd.re), multiply_add(share, even.im, odd.im)});
      to.store(n - k,
               {multiply_add(share, even.re, -odd.re), multiply_add(-share, even.im, odd.im)});
    }
    if (n % 2 == 0) {
      const C middle = from.load(n / 2);
      const V twice = broadcast<V>(static_cast<Real>(forward ? 1 : 2));
      to.store(n / 2, {middle.re * twice, -(middle.im * twice)});
    }
  }

  static bool halves_input(const Line<Real>& line) {
    return line.in_real && line.form == Form::real_odd_forward;
  }
  static bool halves_output(const Line<Real>& line) {
    return line.out_real && line.form == Form::real_odd_backward;
  }

  /// Input to buffer, whatever its form and access.
  static void load_all(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const std::int32_t* position = line.load_position;
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
    if (halves_input(line)) {
      move([&](int i) { return 2 * position[i]; });
      for (int j = 0; j < line.points; ++j) {
        store(buffer.data + (2 * Index{position[j]} + 1) * lanes, V{});
      }
    } else {
      move([&](int i) { return 2 * position[i / 2] + i % 2; });
    }
    if (line.form == Form::real_odd_backward) {
      const Reordered rows{buffer, position};
      rows.store(0, {rows.load(0).re, V{}});
      for (int k = 1; 2 * k < line.points; ++k) {
        rows.store(line.points - k, conjugate(rows.load(k)));
      }
    }
  }

  static void store_all(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const std::int32_t* position = line.store_position;
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
    if (halves_output(line)) {
      move([&](int i) { return 2 * position[i]; });
    } else {
      move([&](int i) { return 2 * position[i / 2] + i % 2; });
    }
  }

  /// Everything up to the last stage.
  static void transform_early(const Line<Real>& line, const Group<Real>& group,
                              const Lines& buffer) {
    const bool rows = group.in_access == Access::rows;
    Real* const in = const_cast<Real*>(group.in[0]);
    const Rows complex_rows{in, group.in_stride};
    const bool several = line.stages > 1;
    if (line.form == Form::real_even_backward) {
      const Reordered reordered{buffer, line.load_position};
      if (rows) {
        fold(line, complex_rows, reordered);
      } else {
        load_all(line, group, buffer);
        fold(line, reordered, reordered);
      }
      middle(line, buffer, 0);
    } else if (rows && several && line.form == Form::complex) {
      first(line, complex_rows, line.stage[0].inner, buffer);
      middle(line, buffer, 1);
    } else if (rows && several && line.form == Form::real_even_forward) {
      first(line, Pairs{in, group.in_stride}, line.stage[0].inner, buffer);
      middle(line, buffer, 1);
    } else {
      load_all(line, group, buffer);
      middle(line, buffer, 0);
    }
  }

  static void run(const Line<Real>& line, const Group<Real>& group, Real* memory) {
    const Lines buffer{memory};
    transform_early(line, group, buffer);
    const bool rows = group.out_access == Access::rows;
    const Rows complex_rows{group.out[0], group.out_stride};
    const Reordered reordered{buffer, line.store_position};
    if (line.form == Form::real_even_forward) {
      last_in_place(line, buffer);
      if (rows) return fold(line, reordered, complex_rows);
      fold(line, reordered, reordered);
    } else if (rows && line.form == Form::complex) {
      return last(line, buffer, complex_rows);
    } else if (rows && line.form == Form::real_even_backward) {
      return last(line, buffer, Pairs{group.out[0], group.out_stride});
    } else {
      last_in_place(line, buffer);
    }
    store_all(line, group, buffer);
  }
};

template <class Real, int vector_bytes>
constexpr Kernel<Real> kernel_of() {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  return {lanes, LineKernel<Real, lanes>::run};
}

template <class Real, int vector_bytes>
constexpr Kernels<Real> kernels_of() {
  return {kernel_of<Real, vector_bytes>(), kernel_of<Real, 16>()};
}

}  // namespace

}  // namespace weft::stockham
