#pragma once

// How passes over lines read numbers and write them.
#include "weft/kernels/line_access.hpp"

namespace weft::stockham {

namespace {

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
  /// Of numbers that have been read, or fetched.
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
      each<radix>([&](int i) { z[i] = {scale * z[i].re, scale * z[i].im}; });
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
    each<radix>([&](int i) {
      const std::uint32_t number = first + i * distance;
      numbers[i] = pass.backward ? reversed(number, pass.points) : number;
    });
    Form::read(pass, line, numbers, z);
  }
  template <class Loaded>
  WEFT_INLINE static void receive(const LinePass&, const LinePlace&, std::uint32_t, std::uint32_t,
                                  const Loaded&) {}
};

template <class Form>
struct NumberStore {
  static constexpr bool is_mirrored = false;

  template <int radix, class Real>
  WEFT_INLINE static void store(const LinePass& pass, const LinePlace& line, std::uint32_t first,
                                std::uint32_t distance, Complex<Real> (&z)[radix]) {
    if (!line.exists) return;
    std::uint32_t numbers[radix];
    each<radix>([&](int i) { numbers[i] = first + i * distance; });
    Form::write(pass, line, numbers, z);
  }
};

/// How many numbers tables are asked about at once: what registers have room for.
WEFT_HOST_DEVICE constexpr int known_group(int count) {
  return count > 8 ? 4 : 8;
}

/// What tables know of numbers of a complex line, and where these lie from where the line begins:
/// from the beginning of the longer line, where tables hold places.
template <int count>
struct KnownNumbers {
  std::uint32_t entry[count];
  std::int32_t place[count];

  WEFT_INLINE KnownNumbers(const LinePass& pass, const LinePlace& line, const LineSide& side,
                           const std::uint32_t* number) {
    const auto* const table = static_cast<const std::int32_t*>(side.table);
    each<count>([&](int i) {
      entry[i] = number[i] * pass.matrix.length + line.index;
      place[i] = table != nullptr         ? table[entry[i]]
                 : entry[i] < side.stored ? static_cast<std::int32_t>(number[i])
                                          : no_place;
    });
  }
  WEFT_INLINE bool has(int i) const { return place[i] != no_place; }

  template <class Real>
  WEFT_INLINE void apply_factors(const LineSide& side, Complex<Real>* z) const {
    if (side.factors == nullptr) return;
    const auto* const factors = static_cast<const Complex<Real>*>(side.factors);
    each<count>([&](int i) {
      if (has(i)) z[i] = times(z[i], factors[entry[i]]);
    });
  }
};

template <class Real, class Access = PlainAccess>
struct ComplexNumber {
  template <int count>
  WEFT_INLINE static void read(const LinePass& pass, const LinePlace& line,
                               const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) {
    const LineSide& side = pass.in;
    const auto* const data = reinterpret_cast<const Complex<Real>*>(side.data) + line.at;
    in_groups<count, known_group(count)>([&](auto begin, auto size) {
      constexpr int first = decltype(begin)::number, group = decltype(size)::number;
      const KnownNumbers<group> known(pass, line, side, number + first);
      each<group>([&](int i) {
        Complex<Real> read[1] = {};
        if (known.has(i)) {
          const Complex<Real>* const from = data + known.place[i] * side.step;
          Access::read(pass, line, from, NumberSteps{}, read);
          Access::receive(pass, line, from, NumberSteps{}, read);
        }
        z[first + i] = read[0];
      });
      known.apply_factors(side, z + first);
    });
  }
  template <int count>
  WEFT_INLINE static void write(const LinePass& pass, const LinePlace& line,
                                const std::uint32_t (&number)[count], Complex<Real> (&z)[count]) {
    const LineSide& side = pass.out;
    auto* const data = reinterpret_cast<Complex<Real>*>(side.data) + line.at;
    const auto scale = static_cast<Real>(pass.scale);
    in_groups<count, known_group(count)>([&](auto begin, auto size) {
      constexpr int first = decltype(begin)::number, group = decltype(size)::number;
      const KnownNumbers<group> known(pass, line, side, number + first);
      known.apply_factors(side, z + first);
      if (pass.matrix.fine != nullptr) {
        each<group>([&](int i) {
          z[first + i] = times(z[first + i], twist(pass, line, number[first + i]));
        });
      }
      each<group>([&](int i) {
        Complex<Real> scaled[] = {{scale * z[first + i].re, scale * z[first + i].im}};
        if (known.has(i)) {
          Access::write(pass, data + known.place[i] * side.step, NumberSteps{}, scaled);
        }
      });
    });
  }

 private:
  WEFT_INLINE static Complex<Real> twist(const LinePass& pass, const LinePlace& line,
                                         std::uint32_t number) {
    const LineMatrix& matrix = pass.matrix;
    const std::uint64_t exponent = std::uint64_t{number} * line.index;
    const std::uint64_t coarse = exponent >> matrix.fine_log2;
    const Complex<Real> fine =
        static_cast<const Complex<Real>*>(matrix.fine)[exponent - (coarse << matrix.fine_log2)];
    return times(static_cast<const Complex<Real>*>(matrix.coarse)[coarse], fine);
  }
};

}  // namespace

}  // namespace weft::stockham
