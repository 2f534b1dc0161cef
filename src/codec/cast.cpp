// Numbers in a shorter floating point format.
#include "codec/block_codec.hpp"
#include "codec/methods.hpp"
#include "codec/parameter.hpp"
#include "codec/trim_scheme.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

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
  [[gnu::always_inline]] static bool less(Word<Real> a, Word<Real> b) {
    return static_cast<Signed>(a) < static_cast<Signed>(b);
  }

  [[gnu::always_inline]] static Word<Real> shorten(Real value) {
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

  [[gnu::always_inline]] static Real lengthen(Word<Real> code) {
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
  static constexpr int header_bytes = 0;
  static constexpr int width = Format::width;

  [[gnu::always_inline]] std::uint16_t quantise(const Real* values, Word<Real>* codes) const {
    for (int i = 0; i < block_reals; ++i) codes[i] = Format::shorten(values[i]);
    return 0;
  }
  [[gnu::always_inline]] void dequantise(std::uint16_t, const Word<Real>* codes,
                                         Real* values) const {
    for (int i = 0; i < block_reals; ++i) values[i] = Format::lengthen(codes[i]);
  }
};

/// The header is the power of two that brings the largest magnitude to half of the largest one of
/// the format, so that rounding does not overflow.
template <class Format>
struct ScaledCast {
  using Real = typename Format::Real;
  static constexpr int header_bytes = 2;
  static constexpr int width = Format::width;

  [[gnu::always_inline]] std::uint16_t quantise(const Real* values, Word<Real>* codes) const {
    const Word<Real> largest = largest_magnitude(values);
    const bool usable = largest != 0 && largest < NumberBits<Real>::infinity;
    const int exponent = usable ? Format::largest_exponent - 1 - exponent_of<Real>(largest) : 0;
    const SplitPower<Real> scale(exponent);
    for (int i = 0; i < block_reals; ++i) {
      codes[i] = Format::shorten(values[i] * scale.first * scale.second);
    }
    return static_cast<std::uint16_t>(exponent);
  }
  [[gnu::always_inline]] void dequantise(std::uint16_t header, const Word<Real>* codes,
                                         Real* values) const {
    const SplitPower<Real> scale(-static_cast<std::int16_t>(header));
    for (int i = 0; i < block_reals; ++i) {
      values[i] = Format::lengthen(codes[i]) * scale.first * scale.second;
    }
  }
};

}  // namespace

std::unique_ptr<Codec> make_cast(const std::string& parameter, CodecElement element,
                                 InstructionSet set) {
  const std::string name = "cast:" + parameter;
  const bool single = element.precision == Precision::f32;
  const auto make = [&](auto scheme, int mantissa_bits) {
    return make_block_codec(scheme, element, name, rounding_error(mantissa_bits), set);
  };
  if (parameter == "fp32") {
    if (single) return nullptr;
    return make(PlainCast<ShortFormat<double, 8, 23>>{}, 23);
  }
  if (parameter == "fp16") {
    if (single) return make(ScaledCast<ShortFormat<float, 5, 10>>{}, 10);
    return make(ScaledCast<ShortFormat<double, 5, 10>>{}, 10);
  }
  if (parameter == "bf16") {
    // It has the exponent of FP32.
    if (single) return make(TrimScheme<float>(7), 7);
    return make(PlainCast<ShortFormat<double, 8, 7>>{}, 7);
  }
  throw Error("codec '" + name + "': the format must be bf16, fp16 or fp32");
}

CodecMethod cast_method() {
  return {"cast", "bf16, fp16 or fp32",
          "a shorter floating point format; fp16 with a scale for each block",
          [](const std::string& parameter, CodecElement element) {
            return make_cast(parameter, element, best_instruction_set());
          },
          [](CodecElement) {
            return std::vector<std::string>{"bf16", "fp16", "fp32"};
          }};
}

}  // namespace weft
