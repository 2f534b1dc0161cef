#pragma once

// How passes between lines and halves of spectra work on numbers k of n and their mirror images
// n - k together.
#include <algorithm>

#include "weft/kernels/line_access.hpp"
#include "weft/kernels/line_shape.hpp"

namespace weft::stockham {

namespace {

/// Numbers of the first half of a line that a thread works on at once, their mirror images, and the
/// rows of both in the buffer of the line. Number 0 is its own image in a line, and has number n as
/// one in a half of a spectrum. The middle number is its own image in both.
template <int count>
struct MirroredRun {
  SpacedNumbers<count> numbers, mirrors;
  std::uint32_t row[count], mirror_row[count];
  bool has_middle = false;  ///< as the last number

  /// Of a line with so many points. Only the last number may be none of the first half, or the
  /// middle.
  WEFT_INLINE MirroredRun(std::uint32_t first, std::uint32_t step, std::uint32_t points,
                          bool may_end)
      : numbers{first, static_cast<std::int32_t>(step)},
        mirrors{points - first, -static_cast<std::int32_t>(step)} {
    if (!may_end) return;
    const std::uint32_t last = numbers[count - 1];
    numbers.has_last = mirrors.has_last = 2 * last <= points;
    has_middle = 2 * last == points;
  }
  WEFT_INLINE bool begins() const { return numbers.first == 0; }
};

template <class Real, int count>
struct MirroredNumbers {
  Complex<Real> number[count], mirror[count];
};

template <class Real, int count>
WEFT_INLINE MirroredNumbers<Real, count> read_rows(const Complex<Real>* rows,
                                                   const MirroredRun<count>& run) {
  MirroredNumbers<Real, count> z;
  each<count>([&](int i) {
    z.number[i] = rows[run.row[i]];
    z.mirror[i] = rows[run.mirror_row[i]];
  });
  return z;
}

/// Backward in reverse order.
template <class Real, int count>
WEFT_INLINE void write_rows(Complex<Real>* rows, const MirroredRun<count>& run,
                            const MirroredNumbers<Real, count>& z, bool backward) {
  each<count>([&](int i) {
    if (!run.numbers.has(i)) return;
    // The image first: number 0, which is its own, takes its place.
    rows[backward ? run.row[i] : run.mirror_row[i]] = z.mirror[i];
    rows[backward ? run.mirror_row[i] : run.row[i]] = z.number[i];
  });
}

/// Rows of the numbers that a thread works on, number i of them, and of their mirror images. After
/// as many numbers of a line as a stage has butterflies, rows repeat one leg further. Where the
/// threads of a line divide that count, few rows are computed, and the others are sums.
template <class Shape, class Stage>
class MirroredRows {
 public:
  WEFT_INLINE MirroredRows(const Stage& stage, std::uint32_t first) : stage_(stage), first_(first) {
    each<period>([&](int i) {
      row_[i] = stage.row_of(number(i));
      mirror_row_[i] = stage.row_of(Shape::line_points - number(i));
    });
  }
  WEFT_INLINE std::uint32_t row(int i) const {
    if constexpr (period == 0) {
      return stage_.row_of(number(i));
    } else {
      return row_[i % period] + i / period * Stage::leg();
    }
  }
  WEFT_INLINE std::uint32_t mirror_row(int i) const {
    if (i == 0 && first_ == 0) return row(0);
    if constexpr (period == 0) {
      return stage_.row_of(Shape::line_points - number(i));
    } else {
      return mirror_row_[i % period] - i / period * Stage::leg();
    }
  }

 private:
  static constexpr int threads = Shape::line_threads;
  static constexpr int period = Stage::count % threads == 0 ? Stage::count / threads : 0;

  WEFT_INLINE std::uint32_t number(int i) const { return first_ + i * threads; }

  const Stage& stage_;
  std::uint32_t first_, row_[std::max(period, 1)], mirror_row_[std::max(period, 1)];
};

/// Calls work(run) for the numbers of the first half of a line that a thread works on, with so many
/// at once at most: what registers have room for.
template <class Shape, int most, class Stage, class Work>
WEFT_INLINE void each_mirrored(const LinePass& pass, const Stage& stage, std::uint32_t first,
                               const Work& work) {
  const std::uint32_t points = Shape::points(pass), threads = Shape::threads(pass);
  if constexpr (Shape::is_fixed) {
    constexpr int half = Shape::line_points / 2;
    static_assert(Shape::line_threads <= half + 1, "also those that are not there have rows");
    constexpr int numbers = half / Shape::line_threads + 1;
    constexpr int runs = (numbers + most - 1) / most;
    const MirroredRows<Shape, Stage> rows(stage, first);
    in_groups<numbers, (numbers + runs - 1) / runs>([&](auto begin, auto size) {
      constexpr int from = decltype(begin)::number, count = decltype(size)::number;
      MirroredRun<count> run(first + from * threads, threads, points, from + count == numbers);
      each<count>([&](int i) {
        run.row[i] = rows.row(from + i);
        run.mirror_row[i] = rows.mirror_row(from + i);
      });
      work(run);
    });
  } else {
    for (std::uint32_t number = first; 2 * number <= points; number += threads) {
      MirroredRun<1> run(number, threads, points, true);
      run.row[0] = stage.row_of(number);
      run.mirror_row[0] = stage.row_of(reversed(number, points));
      work(run);
    }
  }
}

}  // namespace

}  // namespace weft::stockham
