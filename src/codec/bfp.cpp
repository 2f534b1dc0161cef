// Block floating point: the numbers of a block are integer multiples of one step.
#include <cmath>

#include "codec/block_codec.hpp"
#include "codec/methods.hpp"
#include "codec/parameter.hpp"

namespace weft {

namespace {

/// Adding it to a small number leaves the nearest integer, in two's complement, in the lower bits.
constexpr double to_integer = 0x1.8p52;
constexpr auto integer_bits = std::bit_cast<std::uint64_t>(to_integer);

[[gnu::always_inline]] inline double signed_number(std::uint64_t code, std::uint64_t sign) {
  return std::bit_cast<double>(integer_bits + (code ^ sign) - sign) - to_integer;
}

/// Up to this many bits the products of codes and steps are exact.
constexpr int most_narrow_bits = 48;
/// By how many steps the largest magnitude may lie beyond the largest code: half a step, as it is
/// rounded to that code, less what inexact quotients of most_narrow_bits may be off by.
constexpr double beyond_largest = 0.4;

/// The step has 5 significant bits, so that the largest magnitude is, on average, 3 percent from
/// the largest code. With a power of two it would be 40 percent, half a bit. The header is the
/// upper 16 bits of the step, the sign of which is free: it is set in blocks of very small numbers,
/// which are encoded times 2^512 so that their steps are normal numbers.
template <class Number>
struct BfpScheme {
  using Real = Number;
  static constexpr int header_bytes = 2;
  static constexpr int step_shift = 48;  ///< bits of the step that are zero
  static constexpr std::uint16_t small_flag = 0x8000;
  static constexpr double small = 0x1p-512;
  static constexpr bool may_be_small = sizeof(Real) == 8;

  int width;

  [[gnu::always_inline]] std::uint16_t quantise(const Real* values, Word<Real>* codes) const {
    const double largest = std::bit_cast<Real>(largest_magnitude(values));
    const bool is_small = may_be_small && largest < small;
    const double raise = is_small ? 1 / small : 1;
    const double most = static_cast<double>((std::int64_t{1} << (width - 1)) - 1) + beyond_largest;
    const double least_step = largest == 0 ? 1 : largest * raise / most;
    const auto upper =
        (std::bit_cast<std::uint64_t>(least_step) + ((std::uint64_t{1} << step_shift) - 1)) >>
        step_shift;
    const double inverse = 1 / std::bit_cast<double>(upper << step_shift);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    for (int i = 0; i < block_reals; ++i) {
      const double quotient = values[i] * raise * inverse;
      codes[i] =
          static_cast<Word<Real>>(std::bit_cast<std::uint64_t>(quotient + to_integer) & mask);
    }
    return static_cast<std::uint16_t>(upper | (is_small ? small_flag : 0));
  }

  [[gnu::always_inline]] void dequantise(std::uint16_t header, const Word<Real>* codes,
                                         Real* values) const {
    const double lower = may_be_small && (header & small_flag) != 0 ? small : 1;
    const auto upper = std::uint64_t{header} & ~std::uint64_t{small_flag};
    const double step = std::bit_cast<double>(upper << step_shift);
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    for (int i = 0; i < block_reals; ++i) {
      values[i] = static_cast<Real>(signed_number(codes[i], sign) * step * lower);
    }
  }
};

/// With nearly as many bits as the mantissa, or more, only powers of two keep large numbers exact.
/// The header is the exponent of the step.
struct WideBfpScheme {
  using Real = double;
  static constexpr int header_bytes = 2;
  static constexpr int least_exponent = -1074;  ///< finer than subnormal numbers is no use

  int width;

  /// To even, for numbers up to 2^61.
  [[gnu::always_inline]] static double nearest_integer(double value) {
    const double magnitude = std::abs(value);
    const double rounded = (magnitude + 0x1p52) - 0x1p52;
    return magnitude < 0x1p52 ? std::copysign(rounded, value) : value;
  }

  [[gnu::always_inline]] int step_exponent(std::uint64_t largest) const {
    if (largest == 0 || largest >= NumberBits<double>::infinity) return 0;
    const int exponent = std::max(exponent_of<double>(largest) + 2 - width, least_exponent);
    const SplitPower<double> scale(-exponent);
    const double code = std::bit_cast<double>(largest) * scale.first * scale.second;
    return nearest_integer(code) < power_of_two<double>(width - 1) ? exponent : exponent + 1;
  }

  [[gnu::always_inline]] std::uint16_t quantise(const double* values, std::uint64_t* codes) const {
    const std::uint64_t largest = largest_magnitude(values);
    const bool usable = largest < NumberBits<double>::infinity;
    const int exponent = step_exponent(largest);
    const SplitPower<double> scale(-exponent);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    for (int i = 0; i < block_reals; ++i) {
      const double code = usable ? nearest_integer(values[i] * scale.first * scale.second) : 0;
      codes[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(code)) & mask;
    }
    return static_cast<std::uint16_t>(exponent);
  }

  [[gnu::always_inline]] void dequantise(std::uint16_t header, const std::uint64_t* codes,
                                         double* values) const {
    const SplitPower<double> scale(static_cast<std::int16_t>(header));
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    for (int i = 0; i < block_reals; ++i) {
      const auto number = static_cast<std::int64_t>((codes[i] ^ sign) - sign);
      values[i] = static_cast<double>(number) * scale.first * scale.second;
    }
  }
};

ParameterRange range_of(CodecElement element) {
  return {2, element.precision == Precision::f32 ? 31 : 62};
}

/// Measured for complex Gaussian data, in blocks with the largest of 64 Gaussian numbers.
constexpr double narrow_error = 1.555;
constexpr double wide_error = 2.27;

}  // namespace

std::unique_ptr<Codec> make_bfp(const std::string& parameter, CodecElement element,
                                InstructionSet set) {
  const std::string name = "bfp:" + parameter;
  const int width = parse_parameter(name, parameter, "bits", range_of(element), element);
  if (width > most_narrow_bits) {
    return make_block_codec(WideBfpScheme{width}, element, name, std::ldexp(wide_error, -width),
                            set);
  }
  // Twice the largest quotient of a number and a step.
  const double steps = std::ldexp(1, width) - 2 + 2 * beyond_largest;
  if (element.precision == Precision::f32) {
    return make_block_codec(BfpScheme<float>{width}, element, name, narrow_error / steps, set);
  }
  return make_block_codec(BfpScheme<double>{width}, element, name, narrow_error / steps, set);
}

CodecMethod bfp_method() {
  return {"bfp", "bits",
          "block floating point: 64 reals share one step, integers of that many bits",
          [](const std::string& parameter, CodecElement element) {
            return make_bfp(parameter, element, best_instruction_set());
          },
          [](CodecElement element) { return parameters(range_of(element)); }};
}

}  // namespace weft
