#pragma once

#include "local/stockham_fold.hpp"
#include "local/stockham_inside.hpp"
#include "local/stockham_stages.hpp"

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

  /// Input to buffer, whatever its form and access.
  static void load_all(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const std::int32_t* position = line.load_position;
    const Index stride = group.in_stride;
    const Mover<Real, lanes> mover{buffer.data, line.in_elements * (line.in_real ? 1 : 2)};
    const auto move = [&](const auto& place) {
      if (group.in_access == Access::lines) {
        mover.load_lines(group.in, place);
      } else if (line.in_real && group.in_access == Access::rows) {
        const Pairs<false> reals{const_cast<Real*>(group.in[0]), stride};
        for (int i = 0; i < line.in_elements; ++i) {
          store(buffer.data + Index{place(i)} * lanes, reals.load_real(i));
        }
      } else if (line.in_real) {
        mover.load_elements(
            group.in, 0, [&](int i) { return i * stride; }, place);
      } else {
        mover.load_elements(
            group.in, 0, [&](int i) { return i / 2 * stride + i % 2; }, place);
      }
    };
    // Of even real lines the spectrum is folded before it is swapped.
    const int swap = line.backward && line.form != Form::real_even_backward;
    if (line.form == Form::real_odd_forward) {
      move([&](int i) { return 2 * position[i]; });
      for (int j = 0; j < line.stages.points; ++j) {
        store(buffer.data + (2 * Index{position[j]} + 1) * lanes, V{});
      }
    } else if (group.in_access == Access::rows && !line.in_real) {
      const Rows<false> rows{const_cast<Real*>(group.in[0]), stride};
      for (int j = 0; j < line.in_elements; ++j) {
        const C value = rows.load(j);
        buffer.store(position[j], swap ? swapped(value) : value);
      }
    } else {
      move([&](int i) { return 2 * position[i / 2] + (i % 2 ^ swap); });
    }
    for (int i = 0; i < line.missing_count; ++i) {
      store(buffer.data + Index{line.missing[i]} * lanes, V{});
    }
    if (line.form == Form::real_odd_backward) mirror_spectrum(line.stages, buffer);
  }

  /// From half a spectrum, swapped, to all of it.
  static void mirror_spectrum(const Stages<Real>& stages, const Lines& buffer) {
    const Reordered rows{buffer, stages.load_position};
    rows.store(0, {V{}, rows.load(0).im});
    for (int k = 1; 2 * k < stages.points; ++k) {
      const C value = rows.load(k);
      rows.store(stages.points - k, {-value.re, value.im});
    }
  }

  static void store_all(const Line<Real>& line, const Group<Real>& group, const Lines& buffer) {
    const std::int32_t* position = line.store_position;
    const Index stride = group.out_stride;
    const Mover<Real, lanes> mover{buffer.data, line.out_elements * (line.out_real ? 1 : 2)};
    const auto move = [&](const auto& place) {
      if (group.out_access == Access::lines) {
        mover.store_lines(group.out, place);
      } else if (line.out_real && group.out_access == Access::rows) {
        const Pairs<false> reals{group.out[0], stride};
        for (int i = 0; i < line.out_elements; ++i) {
          reals.store_real(i, load<V>(buffer.data + Index{place(i)} * lanes));
        }
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
      move([&](int i) { return 2 * position[i] + swap; });
    } else if (group.out_access == Access::rows && !line.out_real) {
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
    const bool rows = group.in_access == Access::rows && !line.in_pruned;
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
      if (line.backward) run_first(stages, Rows<true>{in, group.in_stride}, buffer);
      if (!line.backward) run_first(stages, Rows<false>{in, group.in_stride}, buffer);
      done = 1;
    } else if (rows && stages.count > 1 && line.form == Form::real_even_forward) {
      run_first(stages, Pairs<false>{in, group.in_stride}, buffer);
      done = 1;
    } else {
      load_all(line, group, buffer);
    }
    run_middle(stages, done, buffer);
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

  /// False where its radices are not compiled so.
  template <bool swapped>
  static bool run_pair(const Stages<Real>& stages, const Group<Real>& group, const Lines& buffer) {
    const Rows<swapped> from{const_cast<Real*>(group.in[0]), group.in_stride};
    const Rows<swapped> to{group.out[0], group.out_stride};
    const Stage<Real>& early = stages.stage[0];
    return with_pair(
        early.radix,
        stages.stage[1].radix, [&](auto first, auto last) __attribute__((always_inline)) {
          transform_pair<decltype(first)::number, decltype(last)::number>(early.twiddles, from, to,
                                                                          buffer);
        });
  }

  static void run(const Line<Real>& line, const Group<Real>& group, Real* memory) {
    const bool all_rows = group.in_access == Access::rows && group.out_access == Access::rows;
    const bool whole = !line.in_pruned && !line.out_pruned;
    if (all_rows && whole && line.form == Form::complex && line.stages.count == 1) {
      return line.backward ? run_short<true>(line.stages, group)
                           : run_short<false>(line.stages, group);
    }
    const Lines buffer{memory};
    if (all_rows && whole && line.form == Form::complex && line.stages.count == 2) {
      const bool done = line.backward ? run_pair<true>(line.stages, group, buffer)
                                      : run_pair<false>(line.stages, group, buffer);
      if (done) return;
    }
    run_early(line, group, buffer);
    const bool rows = group.out_access == Access::rows && !line.out_pruned;
    Real* const out = group.out[0];
    const Index stride = group.out_stride;
    const Stages<Real>& stages = line.stages;
    if (line.form == Form::real_even_forward) {
      const Reordered reordered{buffer, stages.store_position};
      run_last_in_place(stages, buffer);
      if (rows) return fold<true>(line, reordered, Rows<false>{out, stride});
      fold<true>(line, reordered, reordered);
    } else if (rows && line.form == Form::complex) {
      if (line.backward) return run_last(stages, buffer, Rows<true>{out, stride});
      return run_last(stages, buffer, Rows<false>{out, stride});
    } else if (rows && line.form == Form::real_even_backward) {
      return run_last(stages, buffer, Pairs<true>{out, stride});
    } else {
      run_last_in_place(stages, buffer);
    }
    store_all(line, group, buffer);
  }
};

template <class Real, int vector_bytes>
constexpr Kernel<Real> kernel_of() {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  return {lanes, LineKernel<Real, lanes>::run, run_inside<Real, lanes>};
}

template <class Real, int vector_bytes>
constexpr Kernels<Real> kernels_of() {
  constexpr int half_bytes = vector_bytes > 16 ? vector_bytes / 2 : 16;
  return {kernel_of<Real, vector_bytes>(), kernel_of<Real, half_bytes>(), kernel_of<Real, 16>()};
}

}  // namespace

}  // namespace weft::stockham
