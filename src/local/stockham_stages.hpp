#pragma once

#include <cstdint>

#include "local/stockham_rows.hpp"
#include "weft/kernels/butterfly.hpp"

/// The stages of a transform of lines side by side in a buffer, a vector for each point. What says
/// where they lie is passed by value: for all that the compiler knows, storing numbers could change
/// what references lead to, which would be read again each time.
namespace weft::stockham {

namespace {

/// A stage that others follow; the first one may read its elements elsewhere, `leg` rows apart.
template <int radix, class Real, int lanes, class From>
inline void early_stage(Stage<Real> stage, From from, Index leg, Buffer<Real, lanes> buffer) {
  using V = Vector<Real, lanes>;
  for (int group = 0; group < stage.outer; ++group) {
    for (int block = 0; block < stage.blocks; ++block) {
      const Index base = Index{group} * stage.outer_distance + block * stage.block_distance;
      const Real* twiddle = stage.twiddles;
      for (Index j = base; j < base + stage.inner; ++j) {
        Complex<V> z[radix];
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

/// Loads the elements of a butterfly of the last stage; returns the row of the first.
template <int radix, class Real, int lanes>
[[gnu::always_inline]] inline Index load_leaf(Stage<Real> stage, int group, int block,
                                              Buffer<Real, lanes> buffer,
                                              Complex<Vector<Real, lanes>> (&z)[radix]) {
  const Index base = Index{group} * stage.outer_distance + block * stage.block_distance;
  unrolled<radix>([&](auto number) __attribute__((always_inline)) {
    constexpr int q = decltype(number)::number;
    z[q] = buffer.load(base + q * Index{stage.leg});
  });
  return base;
}

/// The last stage, which writes coefficients in order ...
template <int radix, class Real, int lanes, class To>
inline void last_stage(Stages<Real> stages, Buffer<Real, lanes> buffer, To to) {
  using V = Vector<Real, lanes>;
  const Stage<Real> stage = stages.stage[stages.count - 1];
  const std::int32_t* origin = stages.origin;
  for (int group = 0; group < stage.outer; ++group) {
    for (int block = 0; block < stage.blocks; ++block) {
      Complex<V> z[radix];
      load_leaf(stage, group, block, buffer, z);
      butterfly<radix>(z);
      const To results = to.from_row(*origin++);
      unrolled<radix>([&](auto number) __attribute__((always_inline)) {
        constexpr int q = decltype(number)::number;
        results.store(Index{q} * stages.step, z[q]);
      });
    }
  }
}

/// ... or leaves them where they are.
template <int radix, class Real, int lanes>
inline void last_stage_in_place(Stages<Real> stages, Buffer<Real, lanes> buffer) {
  using V = Vector<Real, lanes>;
  const Stage<Real> stage = stages.stage[stages.count - 1];
  for (int group = 0; group < stage.outer; ++group) {
    for (int block = 0; block < stage.blocks; ++block) {
      Complex<V> z[radix];
      const Index base = load_leaf(stage, group, block, buffer, z);
      butterfly<radix>(z);
      unrolled<radix>([&](auto number) __attribute__((always_inline)) {
        constexpr int q = decltype(number)::number;
        buffer.store(base + q * Index{stage.leg}, z[q]);
      });
    }
  }
}

/// body(Constant<radix>).
template <class Body>
[[gnu::always_inline]] inline void with_radix(int radix, const Body& body) {
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

/// The stages of a line, each with the radix that it has.
template <class Real, int lanes, class From>
inline void run_first(const Stages<Real>& stages, const From& from,
                      const Buffer<Real, lanes>& buffer) {
  const Stage<Real>& stage = stages.stage[0];
  with_radix(
      stage.radix, [&](auto radix) __attribute__((always_inline)) {
        early_stage<decltype(radix)::number>(stage, from, stage.inner, buffer);
      });
}

template <class Real, int lanes>
inline void run_middle(const Stages<Real>& stages, int from_stage,
                       const Buffer<Real, lanes>& buffer) {
  for (int i = from_stage; i + 1 < stages.count; ++i) {
    const Stage<Real>& stage = stages.stage[i];
    with_radix(
        stage.radix, [&](auto radix) __attribute__((always_inline)) {
          early_stage<decltype(radix)::number>(stage, buffer, stage.leg, buffer);
        });
  }
}

template <class Real, int lanes, class To>
inline void run_last(const Stages<Real>& stages, const Buffer<Real, lanes>& buffer, const To& to) {
  with_radix(
      stages.stage[stages.count - 1].radix, [&](auto radix) __attribute__((always_inline)) {
        last_stage<decltype(radix)::number>(stages, buffer, to);
      });
}

template <class Real, int lanes>
inline void run_last_in_place(const Stages<Real>& stages, const Buffer<Real, lanes>& buffer) {
  with_radix(
      stages.stage[stages.count - 1].radix, [&](auto radix) __attribute__((always_inline)) {
        last_stage_in_place<decltype(radix)::number>(stages, buffer);
      });
}

}  // namespace

}  // namespace weft::stockham
