#pragma once

#include <bit>

#include "codec/number_bits.hpp"
#include "device/encoding_sums.hpp"
#include "weft/kernels/numbers.hpp"

namespace weft {

/// What encoding has done to the numbers of a thread.
template <class Real>
class NumberSums {
 public:
  /// Before they are scaled.
  WEFT_INLINE void see(Real value) { seen_ |= std::bit_cast<Word<Real>>(value); }
  WEFT_INLINE void add(Real value, Real decoded) {
    const auto exact = static_cast<double>(value);
    const double error = exact - static_cast<double>(decoded);
    squared_error_ = stockham::multiply_add(error, error, squared_error_);
    squared_norm_ = stockham::multiply_add(exact, exact, squared_norm_);
    // Inf and NaN leave an error that is not finite, which squares of large numbers may be too.
    not_finite_ = stockham::multiply_add(error, 0.0, not_finite_);
  }
  WEFT_INLINE EncodingSums all() const {
    return {squared_error_, squared_norm_, not_finite_ != 0,
            (seen_ & ~NumberBits<Real>::sign) != 0};
  }

 private:
  double squared_error_ = 0;
  double squared_norm_ = 0;
  double not_finite_ = 0;  ///< NaN where there was something unsound
  Word<Real> seen_ = 0;
};

}  // namespace weft
