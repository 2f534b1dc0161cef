#pragma once

// Where the numbers of lines lie, and how threads reach them.
#include "weft/kernels/inline.hpp"
#include "weft/kernels/line_pass.hpp"
#include "weft/kernels/numbers.hpp"

namespace weft::stockham {

namespace {

/// Where a line begins on one side.
struct LinePlace {
  std::int64_t at = 0;
  bool exists = true;
  bool has_second = true;
  std::uint32_t index = 0;   ///< in the loop of a matrix
  std::uint32_t number = 0;  ///< of the line
};

WEFT_INLINE LinePlace locate(const LinePass& pass, const LineSide& side, std::uint32_t line) {
  LinePlace place;
  place.number = line;
  const auto enter = [&](std::uint32_t loop, std::uint32_t i) {
    place.at += i * side.loop_step[loop];
    if (loop == pass.odd_loop && i == pass.odd_place) place.has_second = false;
    if (loop == pass.matrix.loop) place.index = i;
  };
  for (std::uint32_t loop = pass.loops; loop > 2; --loop) {
    enter(loop - 1, take(line, pass.loop[loop - 1]));
  }
  // Loops that are not there have one turn: a branch would take longer.
  enter(1, take(line, pass.loop[1]));
  enter(0, line);
  return place;
}

/// Transforms are forward. Numbers in reverse order, before or after one, make it backward.
WEFT_INLINE std::uint32_t reversed(std::uint32_t number, std::uint32_t points) {
  return number == 0 ? 0 : points - number;
}

template <class Real>
WEFT_INLINE Complex<Real> times(Complex<Real> a, Complex<Real> b) {
  return turned(a, b.re, b.im);
}

/// Numbers of arrays are read once: they leave the nearest cache to tables.
WEFT_INLINE Complex<float> read_once(const Complex<float>* from) {
#if WEFT_ON_DEVICE && WEFT_IS_CUDA
  const float2 z = __ldcg(reinterpret_cast<const float2*>(from));
  return {z.x, z.y};
#else
  return *from;
#endif
}
WEFT_INLINE Complex<double> read_once(const Complex<double>* from) {
#if WEFT_ON_DEVICE && WEFT_IS_CUDA
  const double2 z = __ldcg(reinterpret_cast<const double2*>(from));
  return {z.x, z.y};
#else
  return *from;
#endif
}

/// Numbers first, first + step, ... of a line, of which the last one may not be there.
template <int count>
struct SpacedNumbers {
  std::uint32_t first;
  std::int32_t step;
  bool has_last = true;

  WEFT_INLINE bool has(int i) const { return i + 1 < count || has_last; }
  /// Number 0 instead of one that is not there.
  WEFT_INLINE std::uint32_t operator[](int i) const { return has(i) ? first + i * step : 0; }
  WEFT_INLINE bool has_below(int i, std::uint32_t end) const { return has(i) && (*this)[i] < end; }
};

/// A step that compilers for GPUs know nothing of. Otherwise they find each number of several by a
/// product of 64 bits of its own, instead of a sum.
WEFT_INLINE std::int64_t opaque(std::int64_t step) {
#if WEFT_ON_DEVICE && WEFT_IS_CUDA
  asm("" : "+l"(step));
#endif
  return step;
}

/// Of the numbers of a line that a thread reads or writes together: how far apart they are, in the
/// line and in memory.
struct NumberSteps {
  std::uint32_t numbers;
  std::int64_t elements;
  /// In memory between the first number and the others besides.
  std::int64_t after_first = 0;

  WEFT_INLINE std::int64_t elements_to(int i) const {
    return i == 0 ? 0 : after_first + i * elements;
  }
};

/// Numbers first, first + distance, ... of a line that is stored as a whole, to its end; or those
/// that stand in their places when the line is reversed.
struct NumberRun {
  std::int64_t first;  ///< elements from the beginning of the line
  NumberSteps steps;

  template <int count>
  WEFT_INLINE static NumberRun of(const LineSide& side, std::uint32_t first, std::uint32_t distance,
                                  bool is_reversed) {
    const std::int64_t step = distance * side.step;
    if (!is_reversed) return {first * side.step, {distance, step}};
    const std::uint32_t points = count * distance;
    return {reversed(first, points) * side.step,
            {distance, -step, first == 0 ? points * side.step : 0}};
  }
};

/// How forms reach the complex numbers of an array, one by one. When a thread has them, it receives
/// them: FusedAccess applies a callback then, also to those that were fetched before.
template <class Memory>
struct ArrayAccess {
  template <class Real, int count>
  WEFT_INLINE static void read(const LinePass&, const LinePlace&, const Complex<Real>* from,
                               const NumberSteps& steps, Complex<Real> (&z)[count]) {
    each<count>([&](int i) { z[i] = Memory::read(from + steps.elements_to(i)); });
  }
  template <class Real, int count>
  WEFT_INLINE static void receive(const LinePass&, const LinePlace&, const Complex<Real>*,
                                  const NumberSteps&, Complex<Real> (&)[count]) {}
  template <class Real, int count>
  WEFT_INLINE static void write(const LinePass&, Complex<Real>* to, const NumberSteps& steps,
                                Complex<Real> (&z)[count]) {
    each<count>([&](int i) { Memory::write(to + steps.elements_to(i), z[i]); });
  }
};

struct PlainMemory {
  template <class Number>
  WEFT_INLINE static Number read(const Number* from) {
    return read_once(from);
  }
  template <class Number>
  WEFT_INLINE static void write(Number* to, Number z) {
    *to = z;
  }
};
using PlainAccess = ArrayAccess<PlainMemory>;

#if WEFT_IS_CUDA
/// Of numbers that no block reads soon: they leave the caches to others.
struct StreamMemory {
  __device__ static Complex<float> read(const Complex<float>* from) {
    const float2 z = __ldcs(reinterpret_cast<const float2*>(from));
    return {z.x, z.y};
  }
  __device__ static Complex<double> read(const Complex<double>* from) {
    const double2 z = __ldcs(reinterpret_cast<const double2*>(from));
    return {z.x, z.y};
  }
  __device__ static void write(Complex<float>* to, Complex<float> z) {
    __stcs(reinterpret_cast<float2*>(to), float2{z.re, z.im});
  }
  __device__ static void write(Complex<double>* to, Complex<double> z) {
    __stcs(reinterpret_cast<double2*>(to), double2{z.re, z.im});
  }
};
using StreamAccess = ArrayAccess<StreamMemory>;
#endif

}  // namespace

}  // namespace weft::stockham
