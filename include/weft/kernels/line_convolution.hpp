#pragma once

// Convolutions of lines in the buffer of a block: a transform, a filter, and the way back by the
// transposed stages in reverse order. That begins where the last stage leaves its numbers, so no
// thread needs those of others in between, and ends with numbers in order: decimation in frequency,
// then in time.
#include "weft/kernels/butterfly.hpp"
#include "weft/kernels/line_forms.hpp"
#include "weft/kernels/line_shape.hpp"
#include "weft/kernels/line_stage.hpp"

namespace weft::stockham {

namespace {

/// Of lines that have been convolved.
template <class Real>
struct ConvolvedStore : NumberStore<ComplexNumber<Real>> {
  static constexpr bool is_convolved = true;
};
template <class Store>
constexpr bool convolves = requires {
  Store::is_convolved;
};

/// Calls work(b, z) for the butterflies of a stage that a thread makes, with the numbers of each in
/// registers, and writes those back unless this stage `stores` them.
template <int radix, class Shape, bool stores, class Real, class Stage, class Work>
WEFT_INLINE void each_butterfly(const LinePass& pass, const Stage& stage, const ThreadShare& share,
                                Complex<Real>* buffer, const Work& work) {
  const std::uint32_t distance = stage.leg() * Shape::row_distance;
  for (std::uint32_t b = share.first; b < stage.butterflies(); b += Shape::threads(pass)) {
    Complex<Real>* const row =
        buffer + share.lane * Shape::lane_distance(pass) + stage.row(b) * Shape::row_distance;
    Complex<Real> z[radix];
    each<radix>([&](int i) { z[i] = row[i * distance]; });
    work(b, z);
    if constexpr (!stores) each<radix>([&](int i) { row[i * distance] = z[i]; });
  }
}

/// The last stage, the filter, and the first stage of the way back. That is a transform of
/// conjugates.
template <int radix, class Shape, class Real, class Stage>
WEFT_INLINE void filter_spectra(const LinePass& pass, const Stage& stage, const LineThread& thread,
                                Complex<Real>* buffer) {
  const auto* const filter = static_cast<const Complex<Real>*>(pass.filter);
  const ThreadShare share = share_of<Shape>(pass, pass.in.across, thread.number);
  const std::uint32_t index = thread.place<Shape>(pass, pass.in, share).index;
  each_butterfly<radix, Shape, false>(
      pass, stage, share, buffer, [&](std::uint32_t b, Complex<Real>(&z)[radix]) {
        butterfly<radix>(z);
        each<radix>([&](int i) {
          const std::uint32_t number = b + i * stage.butterflies();
          z[i] = conjugate(times(z[i], filter[number * pass.matrix.length + index]));
        });
        butterfly<radix>(z);
      });
}

/// A stage of the way back.
template <int radix, class Store, class Shape, class Real, class Stage>
WEFT_INLINE void run_transposed(const LinePass& pass, const Stage& stage, const LineThread& thread,
                                Complex<Real>* buffer) {
  constexpr bool stores = Stage::is_first;
  const auto* const twiddles = static_cast<const Complex<Real>*>(stage.stage.twiddles);
  const ThreadShare share = share_of<Shape>(pass, pass.out.across, thread.number);
  LinePlace line;
  if constexpr (stores) line = thread.place<Shape>(pass, pass.out, share);
  each_butterfly<radix, Shape, stores>(
      pass, stage, share, buffer, [&](std::uint32_t b, Complex<Real>(&z)[radix]) {
        each<radix>([&](int i) {
          if (i > 0) z[i] = times(z[i], twiddles[b + (i - 1) * stage.butterflies()]);
        });
        butterfly<radix>(z);
        if constexpr (stores) {
          each<radix>([&](int i) { z[i] = conjugate(z[i]); });
          Store::store(pass, line, b, stage.butterflies(), z);
        }
      });
}

}  // namespace

}  // namespace weft::stockham
