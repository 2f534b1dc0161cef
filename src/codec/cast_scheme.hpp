#pragma once

#include "codec/block_format.hpp"
#include "codec/number_bits.hpp"

namespace weft {

/// A number of a floating point format with fewer bits both of the exponent and of the mantissa.
template <class Number, int exponent_bits, int mantissa_bits>
struct ShortFormat {
  using Real = Number;
  using Bits = NumberBits<Real>;
  using Signed = std::make_signed_t<Word<Real>>;
  static constexpr int width = 1 + exponent_bits + mantissa_bits;
  static constexpr int largest_exponent = (1 << (exponent_bits - 1)) - 1;
  static constexpr int dropped = Bits::mantissa - mantissa_bits;
  static constexpr Word<Real> sign = Word<Real>{1} << (width - 1);
  static constexpr Word<Real> infinity = ((Word<Real>{1} << exponent_bits) - 1) << mantissa_bits;
  /// What the exponents differ by, where the short format has its exponent.
  static constexpr Word<Real> rebias = Word<Real>(Bits::bias - largest_exponent) << mantissa_bits;
  static constexpr Word<Real> first_normal = Word<Real>{1} << mantissa_bits;
  static constexpr auto smallest_normal =
      std::bit_cast<Word<Real>>(power_of_two<Real>(1 - largest_exponent));
  /// Its last bit is the last one of the subnormal numbers: adding it rounds to these.
  static constexpr Real to_subnormal =
      power_of_two<Real>(1 - largest_exponent - mantissa_bits + Bits::mantissa);
  static constexpr auto subnormal_bits = std::bit_cast<Word<Real>>(to_subnormal);

  /// As signed numbers, which AVX2 compares. What is negative here is not normal, and not used.
  WEFT_INLINE static bool less(Word<Real> a, Word<Real> b) {
    return static_cast<Signed>(a) < static_cast<Signed>(b);
  }

  /// IEEE 754 single precision, to which and from which GPUs convert. But for NaN, that is the
  /// same.
  static constexpr bool converts = WEFT_ON_DEVICE && width == 32;

  WEFT_INLINE static Word<Real> shorten(Real value) {
    if constexpr (converts) {
      const auto upper = static_cast<std::uint32_t>(std::bit_cast<Word<Real>>(value) >> 32);
      const std::uint32_t magnitude = magnitude_of(static_cast<float>(value));
      return std::min(magnitude, +NumberBits<float>::infinity) | (upper & NumberBits<float>::sign);
    }
    constexpr Word<Real> below_half = (Word<Real>{1} << (dropped - 1)) - 1;
    const auto word = std::bit_cast<Word<Real>>(value);
    const Word<Real> magnitude = word & ~Bits::sign;
    const Word<Real> rounded =
        ((magnitude + below_half + (magnitude >> dropped & 1)) >> dropped) - rebias;
    const Real absolute = std::bit_cast<Real>(magnitude);
    const Word<Real> subnormal =
        std::bit_cast<Word<Real>>(absolute + to_subnormal) - subnormal_bits;
    const Word<Real> normal = less(rounded, infinity) ? rounded : infinity;
    const Word<Real> code = less(magnitude, smallest_normal) ? subnormal : normal;
    return code | (word & Bits::sign) >> (8 * sizeof(Real) - width);
  }

  WEFT_INLINE static Real lengthen(Word<Real> code) {
    if constexpr (converts) {
      const auto single = static_cast<std::uint32_t>(code);
      const std::uint32_t magnitude = single & ~NumberBits<float>::sign;
      const std::uint32_t bounded = std::min(magnitude, +NumberBits<float>::infinity);
      return std::bit_cast<float>(bounded | (single & NumberBits<float>::sign));
    }
    const Word<Real> magnitude = code & ~sign;
    const Real subnormal = std::bit_cast<Real>(subnormal_bits + magnitude) - to_subnormal;
    const Word<Real> normal = (magnitude + rebias) << dropped;
    Word<Real> word = less(magnitude, first_normal) ? std::bit_cast<Word<Real>>(subnormal) : normal;
    word = less(magnitude, infinity) ? word : Bits::infinity;
    return std::bit_cast<Real>(word | (code & sign) << (8 * sizeof(Real) - width));
  }
};

template <class Format>
struct PlainCast {
  using Real = typename Format::Real;
  static constexpr BlockScheme name = Format::width == 32 ? BlockScheme::fp32 : BlockScheme::bf16;
  static constexpr int header_bytes = 0;
  static constexpr bool by_largest = false;
  static constexpr int width = Format::width;
  static constexpr int fixed_width = width;

  struct Encoder {
    static constexpr std::uint32_t header = 0;
    WEFT_INLINE Word<Real> operator()(Real value) const { return Format::shorten(value); }
  };
  WEFT_INLINE Encoder encoder(Word<Real>) const { return {}; }

  struct Decoder {
    WEFT_INLINE Real operator()(Word<Real> code) const { return Format::lengthen(code); }
  };
  WEFT_INLINE Decoder decoder(std::uint32_t) const { return {}; }
};

/// The header is the power of two that brings the largest magnitude to half of the largest one of
/// the format, so that rounding does not overflow.
template <class Format>
struct ScaledCast {
  using Real = typename Format::Real;
  static constexpr BlockScheme name = BlockScheme::fp16;
  static constexpr int header_bytes = 2;
  static constexpr bool by_largest = true;
  static constexpr int width = Format::width;
  static constexpr int fixed_width = width;

  struct Encoder {
    SplitPower<Real> scale;
    std::uint32_t header;

    WEFT_INLINE Word<Real> operator()(Real value) const {
      return Format::shorten(value * scale.first * scale.second);
    }
  };
  WEFT_INLINE Encoder encoder(Word<Real> largest) const {
    const bool usable = largest != 0 && largest < NumberBits<Real>::infinity;
    const int exponent = usable ? Format::largest_exponent - 1 - exponent_of<Real>(largest) : 0;
    return {SplitPower<Real>(exponent), static_cast<std::uint16_t>(exponent)};
  }

  struct Decoder {
    SplitPower<Real> scale;

    WEFT_INLINE Real operator()(Word<Real> code) const {
      return Format::lengthen(code) * scale.first * scale.second;
    }
  };
  WEFT_INLINE Decoder decoder(std::uint32_t header) const {
    return {SplitPower<Real>(-static_cast<std::int16_t>(header))};
  }
};

template <class Real>
using Fp16Scheme = ScaledCast<ShortFormat<Real, 5, 10>>;
using Fp32Scheme = PlainCast<ShortFormat<double, 8, 23>>;
using Bf16Scheme = PlainCast<ShortFormat<double, 8, 7>>;

}  // namespace weft
