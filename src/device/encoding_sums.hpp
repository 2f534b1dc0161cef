#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/host_device.hpp"

namespace weft {

/// What encoding did, summed up by a part of a device.
struct EncodingSums {
  double squared_error = 0;
  double squared_norm = 0;
  std::uint32_t broken = 0;   ///< whether there was Inf, NaN or overflow
  std::uint32_t nonzero = 0;  ///< whether not all numbers were zero

  WEFT_HOST_DEVICE void add(const EncodingSums& more) {
    squared_error += more.squared_error;
    squared_norm += more.squared_norm;
    broken |= more.broken;
    nonzero |= more.nonzero;
  }
};

/// Encoding adds to an array of so many sums, of which any may stay as they are.
inline constexpr std::size_t encoding_sums = 2048;

}  // namespace weft
