#pragma once

#include <cstdint>

#include "local/stockham_line.hpp"
#include "local/stockham_transpose.hpp"

/// Where passes read and write rows: one complex number of each line of a group.
namespace weft::stockham {

namespace {

/// Real parts, then imaginary parts, of the lines in the order of lanes.
template <class Real, int lanes>
struct Buffer {
  using V = Vector<Real, lanes>;
  Real* data;

  [[gnu::always_inline]] Complex<V> load(Index row) const {
    const Real* at = aligned(row);
    return {stockham::load<V>(at), stockham::load<V>(at + lanes)};
  }
  [[gnu::always_inline]] void store(Index row, Complex<V> value) const {
    Real* at = aligned(row);
    stockham::store(at, value.re);
    stockham::store(at + lanes, value.im);
  }

 private:
  [[gnu::always_inline]] Real* aligned(Index row) const {
    return static_cast<Real*>(__builtin_assume_aligned(data + row * 2 * lanes, sizeof(V)));
  }
};

/// Rows of a buffer in another order.
template <class Real, int lanes>
struct Permuted {
  using V = Vector<Real, lanes>;
  Buffer<Real, lanes> buffer;
  const std::int32_t* position;

  [[gnu::always_inline]] Complex<V> load(Index row) const { return buffer.load(position[row]); }
  [[gnu::always_inline]] void store(Index row, Complex<V> value) const {
    buffer.store(position[row], value);
  }
};

/// Complex numbers of neighboring lines side by side. `swapped`: real and imaginary parts change
/// places on the way.
template <class Real, int lanes, bool swapped>
struct ComplexRows {
  using V = Vector<Real, lanes>;
  Real* data;
  Index stride;

  [[gnu::always_inline]] ComplexRows from_row(Index row) const {
    return {data + row * stride, stride};
  }
  [[gnu::always_inline]] Complex<V> load(Index row) const {
    const Real* at = data + row * stride;
    Complex<V> value{stockham::load<V>(at), stockham::load<V>(at + lanes)};
    exchange_blocks<1>(value.re, value.im, typename MakeSequence<lanes>::Type{});
    if constexpr (swapped) return stockham::swapped(value);
    return value;
  }
  [[gnu::always_inline]] void store(Index row, Complex<V> value) const {
    Real* at = data + row * stride;
    if constexpr (swapped) value = stockham::swapped(value);
    exchange_blocks<1>(value.re, value.im, typename MakeSequence<lanes>::Type{});
    stockham::store(at, value.re);
    stockham::store(at + lanes, value.im);
  }
};

/// Real numbers of neighboring lines side by side; two rows make a complex one.
template <class Real, int lanes, bool swapped>
struct RealPairs {
  using V = Vector<Real, lanes>;
  Real* data;
  Index stride;

  [[gnu::always_inline]] RealPairs from_row(Index row) const {
    return {data + 2 * row * stride, stride};
  }
  [[gnu::always_inline]] Complex<V> load(Index row) const {
    return {load_real(2 * row + swapped), load_real(2 * row + !swapped)};
  }
  [[gnu::always_inline]] void store(Index row, Complex<V> value) const {
    store_real(2 * row + swapped, value.re);
    store_real(2 * row + !swapped, value.im);
  }
  [[gnu::always_inline]] V load_real(Index row) const {
    return to_lanes(stockham::load<V>(data + row * stride), typename MakeSequence<lanes>::Type{});
  }
  [[gnu::always_inline]] void store_real(Index row, V value) const {
    stockham::store(data + row * stride, to_lines(value, typename MakeSequence<lanes>::Type{}));
  }
};

/// Moves whole lines between memory and a buffer, `numbers` reals each. Number i of a line is at
/// `offset(i)` in memory and at vector `place(i)` of the buffer.
template <class Real, int lanes>
struct Mover {
  using V = Vector<Real, lanes>;
  Real* buffer;
  int numbers;

  template <class Offset, class Place>
  [[gnu::always_inline]] void load_elements(const Real* const* lines, int from,
                                            const Offset& offset, const Place& place) const {
    for (int i = from; i < numbers; ++i) {
      Real* to = buffer + Index{place(i)} * lanes;
      const Index at = offset(i);
      for (int lane = 0; lane < lanes; ++lane) to[lane] = lines[line_of_lane(lane, lanes)][at];
    }
  }

  template <class Offset, class Place>
  [[gnu::always_inline]] void store_elements(Real* const* lines, int from, const Offset& offset,
                                             const Place& place) const {
    for (int i = from; i < numbers; ++i) {
      const Real* values = buffer + Index{place(i)} * lanes;
      const Index at = offset(i);
      for (int lane = 0; lane < lanes; ++lane) lines[line_of_lane(lane, lanes)][at] = values[lane];
    }
  }

  /// Contiguous lines.
  template <class Place>
  [[gnu::always_inline]] void load_lines(const Real* const* lines, const Place& place) const {
    int i = 0;
    for (; i + lanes <= numbers; i += lanes) {
      V block[lanes];
      unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
        constexpr int lane = decltype(number)::number;
        block[lane] = load<V>(lines[line_of_lane(lane, lanes)] + i);
      });
      transpose(block);
      unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
        constexpr int k = decltype(number)::number;
        store(buffer + Index{place(i + k)} * lanes, block[k]);
      });
    }
    load_elements(
        lines, i, [](int at) { return Index{at}; }, place);
  }

  template <class Place>
  [[gnu::always_inline]] void store_lines(Real* const* lines, const Place& place) const {
    int i = 0;
    for (; i + lanes <= numbers; i += lanes) {
      V block[lanes];
      unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
        constexpr int k = decltype(number)::number;
        block[k] = load<V>(buffer + Index{place(i + k)} * lanes);
      });
      transpose(block);
      unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
        constexpr int lane = decltype(number)::number;
        store(lines[line_of_lane(lane, lanes)] + i, block[lane]);
      });
    }
    store_elements(
        lines, i, [](int at) { return Index{at}; }, place);
  }
};

}  // namespace

}  // namespace weft::stockham
