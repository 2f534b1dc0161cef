#pragma once

#include "codec/number_bits.hpp"

namespace weft {

/// The upper bits of a number. Rounding may carry into the exponent, which is right.
template <class Number>
struct TrimScheme {
  using Real = Number;
  using Bits = NumberBits<Real>;
  static constexpr int header_bytes = 0;

  explicit TrimScheme(int kept_mantissa)
      : dropped(Bits::mantissa - kept_mantissa),
        width(static_cast<int>(8 * sizeof(Real)) - dropped) {}
  int dropped;
  int width;

  [[gnu::always_inline]] std::uint16_t quantise(const Real* values, Word<Real>* codes) const {
    const Word<Real> below_half = (Word<Real>{1} << (dropped - 1)) - 1;
    for (int i = 0; i < block_reals; ++i) {
      const auto word = std::bit_cast<Word<Real>>(values[i]);
      codes[i] = (word + below_half + (word >> dropped & 1)) >> dropped;
    }
    return 0;
  }

  [[gnu::always_inline]] void dequantise(std::uint16_t, const Word<Real>* codes,
                                         Real* values) const {
    for (int i = 0; i < block_reals; ++i) values[i] = std::bit_cast<Real>(codes[i] << dropped);
  }
};

}  // namespace weft
