#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/block_format.hpp"
#include "weft/axes.hpp"

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

}  // namespace weft
