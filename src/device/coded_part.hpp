#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/block_format.hpp"
#include "weft/axes.hpp"
#include "weft/host_device.hpp"

namespace weft {

/// A part of an encoded message (pass/encoded_message.hpp), and the strided block of numbers that
/// it stands for. Encoding reads the numbers and writes the message, decoding does the reverse.
/// What is encoded must be whole blocks; of what is decoded only the part is written.
///
/// Messages lie in memory that may be read in whole words of 4 bytes. Positions along a line are
/// counted in elements from where the first of its blocks would begin if it were whole.
struct CodedPart {
  Extents extents;
  std::byte* numbers = nullptr;  ///< the first one
  Strides stride;                ///< in elements
  int axis = 0;                  ///< along which lines run
  Index gap_at = 0;              ///< along it, numbers from this one on ...
  Index gap = 0;                 ///< ... lie so many elements further

  std::byte* message = nullptr;  ///< the line of the first number
  Strides line_bytes;            ///< from a line to its neighbor along each axis, in bytes
  Index first = 0;               ///< position of the first number
  Index line_begin = 0;          ///< positions that the line has
  Index line_end = 0;
};

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
