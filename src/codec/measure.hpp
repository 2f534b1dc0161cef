#pragma once

#include "codec/codec.hpp"
#include "codec/number_bits.hpp"

namespace weft {

/// Sum in pairs: in the same order for every instruction set, and more exact than one by one.
[[gnu::always_inline]] inline double sum_block(const double* terms) {
  double sums[block_reals / 2];
  for (int i = 0; i < block_reals / 2; ++i) sums[i] = terms[i] + terms[i + block_reals / 2];
  for (int i = 0; i < 16; ++i) sums[i] += sums[i + 16];
  for (int i = 0; i < 8; ++i) sums[i] += sums[i + 8];
  for (int i = 0; i < 4; ++i) sums[i] += sums[i + 4];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

template <class Real>
WEFT_INLINE double squared_error_of(Real value, Real decoded) {
  const double error = static_cast<double>(value) - static_cast<double>(decoded);
  return error * error;
}
template <class Real>
WEFT_INLINE double square_of(Real value) {
  return static_cast<double>(value) * static_cast<double>(value);
}
/// Inf, NaN or overflow.
template <class Real>
WEFT_INLINE bool is_unsound(Real value, Real decoded) {
  return magnitude_of(value) >= NumberBits<Real>::infinity ||
         magnitude_of(decoded) >= NumberBits<Real>::infinity;
}

template <class Real>
[[gnu::always_inline]] inline void measure_block(const Real* values, const Real* decoded,
                                                 EncodingMeasure& measure) {
  double errors[block_reals], squares[block_reals];
  for (int i = 0; i < block_reals; ++i) {
    errors[i] = squared_error_of(values[i], decoded[i]);
    squares[i] = square_of(values[i]);
  }
  measure.squared_error += sum_block(errors);
  measure.squared_norm += sum_block(squares);
  const Word<Real> largest = std::max(largest_magnitude(values), largest_magnitude(decoded));
  if (largest >= NumberBits<Real>::infinity) measure.broken = true;
}

}  // namespace weft
