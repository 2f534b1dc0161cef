#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "weft/kernels/inline.hpp"

namespace weft {

/// Reals of a block in which numbers are encoded.
inline constexpr int block_reals = 64;

/// How IEEE 754 lays out a real, and the unsigned integer of its size.
template <class Real>
struct NumberBits {
  using Word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int mantissa = std::numeric_limits<Real>::digits - 1;
  static constexpr int bias = std::numeric_limits<Real>::max_exponent - 1;
  static constexpr Word sign = Word{1} << (8 * sizeof(Real) - 1);
  static constexpr Word infinity = Word(2 * bias + 1) << mantissa;
};

template <class Real>
using Word = typename NumberBits<Real>::Word;

/// The bits of the magnitude, which are ordered as the magnitudes are. NaN is larger than infinity.
template <class Real>
WEFT_INLINE Word<Real> magnitude_of(Real value) {
  return std::bit_cast<Word<Real>>(value) & ~NumberBits<Real>::sign;
}

/// Of the largest magnitude of a block.
template <class Real>
[[gnu::always_inline]] inline Word<Real> largest_magnitude(const Real* values) {
  using Signed = std::make_signed_t<Word<Real>>;  // vector units compare these
  Signed largest = 0;
  for (int i = 0; i < block_reals; ++i) {
    largest = std::max(largest, static_cast<Signed>(magnitude_of(values[i])));
  }
  return static_cast<Word<Real>>(largest);
}

/// 2^exponent; within the range of normal numbers.
template <class Real>
WEFT_HOST_DEVICE constexpr Real power_of_two(int exponent) {
  using Bits = NumberBits<Real>;
  return std::bit_cast<Real>(static_cast<Word<Real>>(exponent + Bits::bias) << Bits::mantissa);
}

/// Exponent of the power of two that is not above the magnitude with these bits; not of 0.
template <class Real>
WEFT_HOST_DEVICE inline int exponent_of(Word<Real> magnitude) {
  using Bits = NumberBits<Real>;
  const int exponent = static_cast<int>(magnitude >> Bits::mantissa);
  if (exponent != 0) return exponent - Bits::bias;
  // A multiple of the smallest number, exact as a number of its own.
  const auto multiple = std::bit_cast<Word<Real>>(static_cast<Real>(magnitude));
  const int of_smallest = 1 - Bits::bias - Bits::mantissa;
  return static_cast<int>(multiple >> Bits::mantissa) - Bits::bias + of_smallest;
}

/// 2^exponent as two factors, each of which is a normal number also where their product is not.
/// One after the other they round once, as far as the product with the first is a normal number.
template <class Real>
struct SplitPower {
  WEFT_HOST_DEVICE explicit SplitPower(int exponent)
      : first(power_of_two<Real>(exponent / 2)),
        second(power_of_two<Real>(exponent - exponent / 2)) {}
  Real first, second;
};

}  // namespace weft
