#pragma once

#include <cmath>

#include "codec/block_format.hpp"
#include "codec/number_bits.hpp"

namespace weft {

/// Adding it to a small number leaves the nearest integer, in two's complement, in the lower bits.
inline constexpr double to_integer = 0x1.8p52;
inline constexpr auto integer_bits = std::bit_cast<std::uint64_t>(to_integer);

/// By how many steps the largest magnitude may lie beyond the largest code: half a step, as it is
/// rounded to that code, less what inexact quotients of 48 bits may be off by.
inline constexpr double beyond_largest = 0.4;

/// Block floating point with up to 48 bits: the numbers of a block are integer multiples of one
/// step, and the products of codes and steps are exact.
///
/// The step has 5 significant bits, so that the largest magnitude is, on average, 3 percent from
/// the largest code. With a power of two it would be 40 percent, half a bit. The header is the
/// upper 16 bits of the step, the sign of which is free: it is set in blocks of very small numbers,
/// which are encoded times 2^512 so that their steps are normal numbers.
template <class Number>
struct BfpScheme {
  using Real = Number;
  static constexpr BlockScheme name = BlockScheme::bfp;
  static constexpr int header_bytes = 2;
  static constexpr bool by_largest = true;
  static constexpr int fixed_width = 0;
  static constexpr int most_width = 48;
  static constexpr int step_shift = 48;  ///< bits of the step that are zero
  static constexpr std::uint16_t small_flag = 0x8000;
  static constexpr double small = 0x1p-512;
  static constexpr bool may_be_small = sizeof(Real) == 8;

  int width;

  struct Encoder {
    double raise;
    double inverse;
    std::uint64_t mask;
    std::uint32_t header;

    WEFT_INLINE Word<Real> operator()(Real value) const {
      const double quotient = value * raise * inverse;
      return static_cast<Word<Real>>(std::bit_cast<std::uint64_t>(quotient + to_integer) & mask);
    }
  };

  WEFT_INLINE Encoder encoder(Word<Real> largest_bits) const {
    const double largest = std::bit_cast<Real>(largest_bits);
    const bool is_small = may_be_small && largest < small;
    const double raise = is_small ? 1 / small : 1;
    const double most = static_cast<double>((std::int64_t{1} << (width - 1)) - 1) + beyond_largest;
    const double least_step = largest == 0 ? 1 : largest * raise / most;
    const auto upper =
        (std::bit_cast<std::uint64_t>(least_step) + ((std::uint64_t{1} << step_shift) - 1)) >>
        step_shift;
    const double inverse = 1 / std::bit_cast<double>(upper << step_shift);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    return {raise, inverse, mask, static_cast<std::uint16_t>(upper | (is_small ? small_flag : 0))};
  }

  struct Decoder {
    double lower;
    double step;
    std::uint64_t sign;

    WEFT_INLINE Real operator()(Word<Real> code) const {
      const double number = std::bit_cast<double>(integer_bits + (code ^ sign) - sign) - to_integer;
      return static_cast<Real>(number * step * lower);
    }
  };

  WEFT_INLINE Decoder decoder(std::uint32_t header) const {
    const double lower = may_be_small && (header & small_flag) != 0 ? small : 1;
    const auto upper = std::uint64_t{header} & ~std::uint64_t{small_flag};
    return {lower, std::bit_cast<double>(upper << step_shift), std::uint64_t{1} << (width - 1)};
  }
};

/// With nearly as many bits as the mantissa, or more, only powers of two keep large numbers exact.
/// The header is the exponent of the step.
struct WideBfpScheme {
  using Real = double;
  static constexpr BlockScheme name = BlockScheme::wide_bfp;
  static constexpr int header_bytes = 2;
  static constexpr bool by_largest = true;
  static constexpr int fixed_width = 0;
  static constexpr int least_exponent = -1074;  ///< finer than subnormal numbers is no use

  int width;

  /// To even, for numbers up to 2^61.
  WEFT_INLINE static double nearest_integer(double value) {
    const double magnitude = std::abs(value);
    const double rounded = (magnitude + 0x1p52) - 0x1p52;
    return magnitude < 0x1p52 ? std::copysign(rounded, value) : value;
  }

  WEFT_INLINE int step_exponent(std::uint64_t largest) const {
    if (largest == 0 || largest >= NumberBits<double>::infinity) return 0;
    const int exponent = std::max(exponent_of<double>(largest) + 2 - width, +least_exponent);
    const SplitPower<double> scale(-exponent);
    const double code = std::bit_cast<double>(largest) * scale.first * scale.second;
    return nearest_integer(code) < power_of_two<double>(width - 1) ? exponent : exponent + 1;
  }

  struct Encoder {
    SplitPower<double> scale;
    std::uint64_t mask;
    std::uint32_t header;
    std::uint32_t usable;

    WEFT_INLINE std::uint64_t operator()(double value) const {
      const double code = usable ? nearest_integer(value * scale.first * scale.second) : 0;
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(code)) & mask;
    }
  };

  WEFT_INLINE Encoder encoder(std::uint64_t largest) const {
    const int exponent = step_exponent(largest);
    return {SplitPower<double>(-exponent), (std::uint64_t{1} << width) - 1,
            static_cast<std::uint16_t>(exponent), largest < NumberBits<double>::infinity};
  }

  struct Decoder {
    SplitPower<double> scale;
    std::uint64_t sign;

    WEFT_INLINE double operator()(std::uint64_t code) const {
      const auto number = static_cast<std::int64_t>((code ^ sign) - sign);
      return static_cast<double>(number) * scale.first * scale.second;
    }
  };

  WEFT_INLINE Decoder decoder(std::uint32_t header) const {
    return {SplitPower<double>(static_cast<std::int16_t>(header)), std::uint64_t{1} << (width - 1)};
  }
};

}  // namespace weft
