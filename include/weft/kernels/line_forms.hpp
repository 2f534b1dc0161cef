#pragma once

// How passes over lines read numbers and write them.
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

/// How forms reach the complex numbers of an array, one by one. FusedAccess applies a callback, and
/// to numbers that have been fetched, when a thread receives them.
template <class Memory>
struct ArrayAccess {
  template <class Real, int count>
  WEFT_INLINE static void read(const LinePass&, const LinePlace&, const Complex<Real>* from,
                               const NumberSteps& steps, Complex<Real> (&z)[count]) {
    unrolled<count>([&](auto q) {
      constexpr int i = decltype(q)::number;
      z[i] = Memory::read(from + steps.elements_to(i));
    });
  }
  template <class Real, int count>
  WEFT_INLINE static void receive(const LinePass&, const LinePlace&, const Complex<Real>*,
                                  const NumberSteps&, Complex<Real> (&)[count]) {}
  template <class Real, int count>
  WEFT_INLINE static void write(const LinePass&, Complex<Real>* to, const NumberSteps& steps,
                                Complex<Real> (&z)[count]) {
    unrolled<count>([&](auto q) {
      constexpr int i = decltype(q)::number;
      Memory::write(to + steps.elements_to(i), z[i]);
    });
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

/// Complex lines whose numbers are all stored. Either their load or their store reverses them.
template <class Real, class Access = PlainAccess, bool reverses = true>
struct WholeLoad {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static NumberRun run(const LinePass& pass, std::uint32_t first,
                                   std::uint32_t distance) {
    return NumberRun::of<radix>(pass.in, first, distance, reverses && pass.backward);
  }
  template <int radix>
  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                               std::uint32_t distance, Complex<Real> (&z)[radix]) {
    const NumberRun mine = run<radix>(pass, first, distance);
    Access::read(pass, line, begin(pass, line, mine), mine.steps, z);
  }
  /// Of numbers that have been fetched.
  template <int radix>
  WEFT_INLINE static void receive(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                  std::uint32_t distance, Complex<Real> (&z)[radix]) {
    const NumberRun mine = run<radix>(pass, first, distance);
    Access::receive(pass, line, begin(pass, line, mine), mine.steps, z);
  }

 private:
  WEFT_INLINE static const Complex<Real>* begin(const LinePass& pass, const LinePlace& line,
                                                const NumberRun& run) {
    return reinterpret_cast<const Complex<Real>*>(pass.in.data) + (line.at + run.first);
  }
};

template <class Real, class Access = PlainAccess, bool reverses = false>
struct WholeStore {
  static constexpr bool is_mirrored = false;

  template <int radix>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    const NumberRun run =
        NumberRun::of<radix>(pass.out, first, distance, reverses && pass.backward);
    auto* const to = reinterpret_cast<Complex<Real>*>(pass.out.data) + (line.at + run.first);
    if (pass.scale != 1) [[unlikely]] {
      const auto scale = static_cast<Real>(pass.scale);
      unrolled<radix>([&](auto q) {
        constexpr int i = decltype(q)::number;
        z[i] = {scale * z[i].re, scale * z[i].im};
      });
    }
    Access::write(pass, to, run.steps, z);
  }
};

/// Forms whose numbers lie anywhere.
template <class Form>
struct NumberLoad {
  static constexpr bool is_mirrored = false;

  template <int radix, class Real>
  WEFT_INLINE static void load(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                               std::uint32_t distance, Complex<Real> (&z)[radix]) {
    std::uint32_t numbers[radix];
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      const std::uint32_t number = first + i * distance;
      numbers[i] = pass.backward ? reversed(number, pass.points) : number;
    });
    Form::read(pass, line, numbers, z);
  }
};

template <class Form>
struct NumberStore {
  static constexpr bool is_mirrored = false;

  template <int radix, class Real>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    std::uint32_t numbers[radix];
    unrolled<radix>([&](auto q) {
      constexpr int i = decltype(q)::number;
      numbers[i] = first + i * distance;
    });
    Form::write(pass, line, numbers, z);
  }
};

/// Numbers of the first half of a line that a thread works on at once, with their mirror images.
struct MirroredRun {
  static constexpr int count = 4;

  std::uint32_t first, step;
  std::uint32_t last;  ///< of the half

  WEFT_INLINE bool has(int i) const { return first + i * step <= last; }
  /// The last one instead of those that are not there.
  WEFT_INLINE std::uint32_t number(int i) const { return has(i) ? first + i * step : last; }
};

/// Number k of a line, and number n - k of its n.
template <class Real>
struct MirroredNumbers {
  Complex<Real> number, mirror;
};

/// What tables know of a number of a complex line, and where it lies from where the line begins:
/// from the beginning of the longer line, where tables hold places.
struct KnownNumber {
  std::uint32_t entry;
  std::int32_t place;

  WEFT_INLINE KnownNumber(const LinePass& pass, const LinePlace& line, const LineSide& side,
                          std::uint32_t number)
      : entry(number * pass.matrix.length + line.index),
        place(side.table == nullptr ? static_cast<std::int32_t>(number)
                                    : static_cast<const std::int32_t*>(side.table)[entry]) {}
};

template <class Real, class Access = PlainAccess>
struct ComplexNumber {
  template <int count>
  WEFT_INLINE static void read(const LinePass& pass, const LinePlace& line,
                               const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) {
    unrolled<count>([&](auto q) {
      constexpr int i = decltype(q)::number;
      z[i] = read(pass, line, number[i]);
    });
  }
  template <int count>
  WEFT_INLINE static void write(const LinePass& pass, const LinePlace& line,
                                const std::uint32_t (&number)[count],
                                const Complex<Real> (&z)[count]) {
    unrolled<count>([&](auto q) {
      constexpr int i = decltype(q)::number;
      write(pass, line, number[i], z[i]);
    });
  }

 private:
  WEFT_INLINE static Complex<Real> read(const LinePass& pass, const LinePlace& line,
                                        std::uint32_t number) {
    const LineSide& side = pass.in;
    const KnownNumber known(pass, line, side, number);
    if (known.place == no_place) return {};
    Complex<Real> z[1];
    Access::read(
        pass, line,
        reinterpret_cast<const Complex<Real>*>(side.data) + line.at + known.place * side.step,
        NumberSteps{}, z);
    if (side.factors == nullptr) return z[0];
    return times(z[0], static_cast<const Complex<Real>*>(side.factors)[known.entry]);
  }

  WEFT_INLINE static void write(const LinePass& pass, const LinePlace& line, std::uint32_t number,
                                Complex<Real> z) {
    const LineSide& side = pass.out;
    const KnownNumber known(pass, line, side, number);
    if (known.place == no_place) return;
    if (side.factors != nullptr) {
      z = times(z, static_cast<const Complex<Real>*>(side.factors)[known.entry]);
    }
    if (pass.matrix.fine != nullptr) z = times(z, twist(pass, line, number));
    const auto scale = static_cast<Real>(pass.scale);
    Complex<Real> scaled[] = {{scale * z.re, scale * z.im}};
    Access::write(pass,
                  reinterpret_cast<Complex<Real>*>(side.data) + line.at + known.place * side.step,
                  NumberSteps{}, scaled);
  }

  WEFT_INLINE static Complex<Real> twist(const LinePass& pass, const LinePlace& line,
                                         std::uint32_t number) {
    const LineMatrix& matrix = pass.matrix;
    const std::uint64_t exponent = std::uint64_t{number} * line.index;
    const std::uint64_t coarse = exponent >> matrix.fine_log2;
    const Complex<Real> fine =
        static_cast<const Complex<Real>*>(matrix.fine)[exponent - (coarse << matrix.fine_log2)];
    const Complex<Real> root =
        times(static_cast<const Complex<Real>*>(matrix.coarse)[coarse], fine);
    return pass.backward ? root : conjugate(root);
  }
};

}  // namespace

}  // namespace weft::stockham
