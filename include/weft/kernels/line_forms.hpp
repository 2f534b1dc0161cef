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
