#pragma once

// The shape of lines of any length: which stages they have, how many threads, and how many of them
// a block takes. Plans ask for it at run time, and kernels for callbacks as they are compiled.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "weft/kernels/line_shape.hpp"

namespace weft::stockham {

/// Whether n has no prime factor above 13.
constexpr bool has_small_primes(std::int64_t n) {
  for (const int prime : {2, 3, 5, 7, 11, 13}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

/// Radices of the stages of a line, in their order.
struct LineRadices {
  int count = 0;
  int radix[LinePass::max_stages] = {};

  constexpr bool exist() const { return count > 0; }
  constexpr const int* begin() const { return radix; }
  constexpr const int* end() const { return radix + count; }
  constexpr int operator[](int stage) const { return radix[stage]; }
  constexpr int sum() const {
    int result = 0;
    for (const int one : *this) result += one;
    return result;
  }
  constexpr LineRadices and_then(int next) const {
    LineRadices result = *this;
    result.radix[result.count++] = next;
    return result;
  }
};

/// The best of those of ascending radices that follow `begun`: with the smallest butterflies.
constexpr void find_radices(std::int64_t rest, int most, const LineRadices& begun,
                            LineRadices& best) {
  constexpr int known[] = {16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};
  if (rest == 1) {
    const auto largest = [](const LineRadices& radices) { return radices[radices.count - 1]; };
    const bool is_better = !best.exist() || largest(begun) < largest(best) ||
                           (largest(begun) == largest(best) && begun.sum() < best.sum());
    if (is_better) best = begun;
    return;
  }
  if (begun.count == most) return;
  for (const int radix : known) {
    if (rest % radix != 0 || (begun.exist() && radix < begun[begun.count - 1])) continue;
    find_radices(rest / radix, most, begun.and_then(radix), best);
  }
}

/// Radices whose product is n: of the fewest stages, but two at least, those with the smallest
/// butterflies. None where n has larger prime factors, or needs more stages than a pass has.
constexpr LineRadices line_radices(std::int64_t n) {
  if (n == 1) return {2, {1, 1}};
  LineRadices best;
  if (!has_small_primes(n)) return best;
  for (int most = 1; !best.exist() && most <= LinePass::max_stages; ++most) {
    find_radices(n, most, {}, best);
  }
  return best.count == 1 ? LineRadices{2, {1, best[0]}} : best;
}

/// Those of lines of 513 to 1024 points that wide blocks take: two, the first one no smaller than
/// the other. None where threads would not have enough registers: with 33, 35 or 39.
constexpr LineRadices wide_radices(std::int64_t n) {
  if (n <= 512 || n > 1024 || !has_small_primes(n)) return {};
  for (const int radix : {24, 25, 26, 27, 28, 30, 32, 36, 40}) {
    if (n % radix == 0 && radix * radix >= n) return {2, {radix, static_cast<int>(n / radix)}};
  }
  return {};
}

/// Lines of wide blocks: 128 bytes of neighbors.
constexpr int wide_lanes(bool is_double) {
  return is_double ? 8 : 16;
}
/// Threads for each. They fill warps, and make one butterfly of each stage at most.
constexpr int wide_threads(bool is_double, const LineRadices& radices) {
  const int step = 32 / wide_lanes(is_double);
  return (radices[0] + step - 1) / step * step;
}

/// What the threads of a block can share: bytes in all, and what of it each line needs beside its
/// numbers, and each thread.
struct BlockMemory {
  std::size_t bytes;
  std::size_t beside_line = 0;
  std::size_t of_thread = 0;
};

constexpr std::size_t complex_bytes(bool is_double) {
  return is_double ? 16 : 8;
}

/// Blocks at a time that a processor of a GPU must have registers for: as many as it has shared
/// memory for, where a thread has about 96 registers or more in double precision, and 48 in single.
constexpr int planned_blocks(bool is_double, std::size_t block_numbers, unsigned block_threads,
                             std::size_t shared_bytes) {
  constexpr unsigned registers = 65536;
  const auto room =
      static_cast<unsigned>(shared_bytes / (block_numbers * complex_bytes(is_double)));
  const unsigned of_thread = is_double ? 96 : 48;
  return static_cast<int>(std::max(std::min(room, registers / (of_thread * block_threads)), 1U));
}

/// Lines of so many points, and how a block of threads with such memory takes them.
struct PlannedLines {
  std::int64_t points;
  bool is_double;
  BlockMemory memory;
  LineRadices radices = line_radices(points);

  /// Odd, as powers of two would meet in the banks of shared memory.
  constexpr int first_leg() const { return static_cast<int>(points / radices[0]) | 1; }
  constexpr int pitch(int lanes) const { return pitch_of(first_leg() * radices[0], lanes); }
  constexpr std::size_t bytes_of(int lanes, int threads) const {
    return static_cast<std::size_t>(lanes) *
           (static_cast<std::size_t>(pitch(lanes)) * complex_bytes(is_double) + memory.beside_line +
            static_cast<std::size_t>(threads) * memory.of_thread);
  }
  /// Whether a block has room for so many, and a wide one for the number of the next ones.
  constexpr bool fit(int lanes, int threads, bool is_wide) const {
    return bytes_of(lanes, threads) + (is_wide ? complex_bytes(is_double) : 0) <= memory.bytes;
  }
  constexpr bool exist() const { return radices.exist() && fit(1, threads_of_line(), false); }

  /// About 16 numbers for a thread, with few idle turns. Starting a stage costs as much as some
  /// numbers, and so does a butterfly.
  constexpr int threads_of_line() const {
    constexpr std::int64_t per_stage = 8, per_butterfly = 4;
    const std::int64_t limit = most_line_threads(is_double);
    const std::int64_t fewest = std::min((points + 19) / 20, limit);
    const std::int64_t most = std::clamp(points / 8, fewest, limit);
    std::int64_t best = fewest, least = -1;
    for (std::int64_t threads = fewest; threads <= most; ++threads) {
      std::int64_t time = 0;
      for (const int radix : radices) {
        const std::int64_t turns = (points / radix + threads - 1) / threads;
        time += per_stage + turns * (radix + per_butterfly);
      }
      if (least >= 0 && time * threads >= least) continue;
      least = time * threads;
      best = threads;
    }
    return static_cast<int>(best);
  }

  /// Lines of a block, of so many in all, whose neighbors are next to each other in memory where
  /// they are `across`.
  constexpr int lanes(std::int64_t lines, bool across) const {
    // Several blocks on a processor work while others wait for memory. Registers of a processor
    // are enough for these threads, twice.
    constexpr std::size_t blocks_at_once = 3;
    const int most_threads = is_double ? 256 : 512;
    const int threads = threads_of_line();
    int result = 1;
    const auto suits = [&](int more) {
      return more * threads <= most_threads &&
             bytes_of(more, threads) <= memory.bytes / blocks_at_once && more < 2 * lines;
    };
    while (suits(2 * result)) result *= 2;
    // Memory is read and written by sectors (H200, 10,000,000 points as 3125 x 3200: 0.54 of the
    // time with two lines of a block instead of one).
    constexpr std::size_t sector = 32;
    const auto has_room = [&](int more) {
      return more * threads <= static_cast<int>(most_line_threads(is_double)) &&
             bytes_of(more, threads) <= memory.bytes;
    };
    while (across && static_cast<std::size_t>(result) * complex_bytes(is_double) < sector &&
           has_room(2 * result)) {
      result *= 2;
    }
    return result;
  }
};

namespace {

/// Of the GPUs that kernels for callbacks are made for: NVIDIA's since compute capability 9.0, all
/// of AMD's.
#if defined(__HIPCC__) || defined(WEFT_HIP)
inline constexpr std::size_t usual_block_bytes = std::size_t{64} << 10;
#else
inline constexpr std::size_t usual_block_bytes = std::size_t{227} << 10;
#endif

/// Calls work(shape) for those that are known of lines of a form.
template <class Real, class Work>
void each_known_shape(LineForm form, const Work& work) {
  const auto try_forms = [&]<LineForm... forms>(std::integer_sequence<LineForm, forms...>) {
    ((form == forms ? each_shape(ShapesOf<Real, forms>{}, work) : void()), ...);
  };
  try_forms(std::integer_sequence<LineForm, LineForm::whole, LineForm::from_packed,
                                  LineForm::to_packed, LineForm::from_reals, LineForm::to_reals>{});
}

template <class... Lists>
struct Joined {
  using List = ShapeList<>;
};
template <class... Shapes>
struct Joined<ShapeList<Shapes...>> {
  using List = ShapeList<Shapes...>;
};
template <class... Shapes, class... Others, class... Lists>
struct Joined<ShapeList<Shapes...>, ShapeList<Others...>, Lists...>
    : Joined<ShapeList<Shapes..., Others...>, Lists...> {};

template <int points, class... Known>
auto known_shapes_of(ShapeList<Known...>) {
  return typename Joined<
      std::conditional_t<Known::line_points == points, ShapeList<Known>, ShapeList<>>...>::List{};
}

/// That of many lines of so many points, as a list. None where a block has no room for them.
template <class Real, int points, bool across>
auto planned_shape() {
  constexpr PlannedLines planned{points, sizeof(Real) == sizeof(double), {usual_block_bytes}};
  if constexpr (planned.exist()) {
    constexpr int threads = planned.threads_of_line();
    constexpr int lanes = planned.lanes(std::numeric_limits<std::int32_t>::max(), across);
    constexpr int blocks = planned_blocks(planned.is_double, lanes * planned.pitch(lanes),
                                          whole_warps(lanes * threads), usual_block_bytes);
    return [&]<int... stage>(std::integer_sequence<int, stage...>) {
      return ShapeList<FixedShape<lanes, threads, blocks, planned.radices[stage]...>>{};
    }
    (std::make_integer_sequence<int, planned.radices.count>{});
  } else {
    return ShapeList<>{};
  }
}

/// That of wide blocks, as a list. None where there are none, or no room for them.
template <class Real, int points>
auto planned_wide_shape() {
  constexpr bool is_double = sizeof(Real) == sizeof(double);
  constexpr LineRadices radices = wide_radices(points);
  constexpr int lanes = wide_lanes(is_double), threads = wide_threads(is_double, radices);
  constexpr PlannedLines planned{points, is_double, {usual_block_bytes}, radices};
  if constexpr (radices.exist() && planned.fit(lanes, threads, true)) {
    return ShapeList<WideShape<lanes, threads, radices[0], radices[1]>>{};
  } else {
    return ShapeList<>{};
  }
}

/// Those that passes of a form have, of lines of so many points.
template <class Real, LineForm form, int points>
auto shapes_of_lines() {
  using Known = decltype(known_shapes_of<points>(ShapesOf<Real, form>{}));
  using Planned = typename Joined<decltype(planned_shape<Real, points, false>()),
                                  decltype(planned_shape<Real, points, true>())>::List;
  using Wide = std::conditional_t<form == LineForm::whole,
                                  decltype(planned_wide_shape<Real, points>()), ShapeList<>>;
  return typename Joined<std::conditional_t<std::is_same_v<Known, ShapeList<>>, Planned, Known>,
                         Wide>::List{};
}

/// Of an axis, for each complex number of its lines.
constexpr int axis_numbers(LineForm form) {
  return form == LineForm::whole ? 1 : 2;
}

template <class Real, LineForm form, int length>
auto shapes_of_axis() {
  static_assert(length > 0, "axes have one point at least");
  if constexpr (length % axis_numbers(form) == 0) {
    return shapes_of_lines<Real, form, length / axis_numbers(form)>();
  } else {
    return ShapeList<>{};
  }
}

/// Those of axes of the lengths that a caller names, else of lines of the usual ones. Some may be
/// in it twice.
template <class Real, LineForm form, int... lengths>
auto shapes_of_axes() {
  const auto of_lines = []<int... points>(Sequence<points...>) {
    return typename Joined<decltype(shapes_of_lines<Real, form, points>())...>::List{};
  };
  if constexpr (sizeof...(lengths) == 0) {
    return of_lines(Sequence<64, 128, 192, 256, 384, 512, 1024>{});
  } else {
    return typename Joined<decltype(shapes_of_axis<Real, form, lengths>())...>::List{};
  }
}
template <class Real, LineForm form, int... lengths>
using ShapesOfAxes = decltype(shapes_of_axes<Real, form, lengths...>());

}  // namespace

}  // namespace weft::stockham
