#pragma once

#include "codec/block_format.hpp"
#include "codec/number_bits.hpp"

namespace weft {

/// The upper bits of a number. Rounding may carry into the exponent, which is right.
template <class Number>
struct TrimScheme {
  using Real = Number;
  using Bits = NumberBits<Real>;
  static constexpr BlockScheme name = BlockScheme::trim;
  static constexpr int header_bytes = 0;
  static constexpr bool by_largest = false;
  static constexpr int fixed_width = 0;

  WEFT_INLINE explicit TrimScheme(int bits)
      : dropped(static_cast<int>(8 * sizeof(Real)) - bits), width(bits) {}
  static TrimScheme with_mantissa(int kept) {
    return TrimScheme(static_cast<int>(8 * sizeof(Real)) - Bits::mantissa + kept);
  }
  int dropped;
  int width;

  struct Encoder {
    int dropped;
    static constexpr std::uint32_t header = 0;

    WEFT_INLINE Word<Real> operator()(Real value) const {
      const Word<Real> below_half = (Word<Real>{1} << (dropped - 1)) - 1;
      const auto word = std::bit_cast<Word<Real>>(value);
      return (word + below_half + (word >> dropped & 1)) >> dropped;
    }
  };
  WEFT_INLINE Encoder encoder(Word<Real>) const { return {dropped}; }

  struct Decoder {
    int dropped;

    WEFT_INLINE Real operator()(Word<Real> code) const {
      return std::bit_cast<Real>(code << dropped);
    }
  };
  WEFT_INLINE Decoder decoder(std::uint32_t) const { return {dropped}; }
};

}  // namespace weft
