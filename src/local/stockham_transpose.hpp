#pragma once

#include "local/stockham_line.hpp"
#include "weft/kernels/numbers.hpp"

/// How numbers change their lanes: GPUs have none.
namespace weft::stockham {

namespace {

/// Exchanges blocks of `size` lanes: the odd blocks of a and the even ones of b.
template <int size, class V, int... lane>
[[gnu::always_inline]] inline void exchange_blocks(V& a, V& b, Sequence<lane...>) {
  constexpr int lanes = sizeof...(lane);
  const V first = __builtin_shufflevector(a, b, ((lane & size) ? lanes + lane - size : lane)...);
  const V second = __builtin_shufflevector(a, b, ((lane & size) ? lanes + lane : lane + size)...);
  a = first;
  b = second;
}

/// Vectors as the rows of a square matrix are made its columns.
template <int lanes, int size = 1, class V>
[[gnu::always_inline]] inline void transpose(V (&rows)[lanes]) {
  if constexpr (size < lanes) {
    unrolled<lanes>([&](auto row) __attribute__((always_inline)) {
      constexpr int i = decltype(row)::number;
      if constexpr ((i & size) == 0) {
        exchange_blocks<size>(rows[i], rows[i + size], typename MakeSequence<lanes>::Type{});
      }
    });
    transpose<lanes, 2 * size>(rows);
  }
}

/// The reverse of line_of_lane.
template <int lanes>
constexpr int lane_of_line(int line) {
  return line < lanes / 2 ? 2 * line : 2 * (line - lanes / 2) + 1;
}

template <class V, int... lane>
[[gnu::always_inline]] inline V to_lanes(V lines, Sequence<lane...>) {
  return __builtin_shufflevector(lines, lines, line_of_lane(lane, sizeof...(lane))...);
}
template <class V, int... lane>
[[gnu::always_inline]] inline V to_lines(V lanes, Sequence<lane...>) {
  return __builtin_shufflevector(lanes, lanes, lane_of_line<sizeof...(lane)>(lane)...);
}

template <class V, int... lane>
[[gnu::always_inline]] inline V reversed(V lanes, Sequence<lane...>) {
  return __builtin_shufflevector(lanes, lanes, (static_cast<int>(sizeof...(lane)) - 1 - lane)...);
}

}  // namespace

}  // namespace weft::stockham
