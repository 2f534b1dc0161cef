#pragma once

// What lanes of a kernel do with the codes of a block, for the host as well, which has no lanes.

#include "codec/number_bits.hpp"
#include "device/code_tasks.hpp"

namespace weft {

using MessageWord [[gnu::may_alias]] = std::uint32_t;

/// The bytes of a block in aligned words.
struct MessageWords {
  std::byte* address = nullptr;  ///< of the first word
  int begin = 0;                 ///< byte in the words where the block begins
  int end = 0;

  WEFT_HOST_DEVICE MessageWords(std::byte* block, int bytes)
      : begin(static_cast<int>(reinterpret_cast<std::uintptr_t>(block) % 4)) {
    address = block - begin;
    end = begin + bytes;
  }
  WEFT_HOST_DEVICE int count() const { return (end + 3) / 4; }
};

/// Calls put(number, bits) for the words that have bits of a code which begins at a bit of the
/// first word; their other bits are zero. Unless it is wide, it has up to 32 bits.
template <bool wide, class Code, class Put>
WEFT_INLINE void put_code(unsigned bit, Code code, const Put& put) {
  const unsigned number = bit / 32, shift = bit % 32;
  const std::uint64_t low = std::uint64_t{code} << shift;
  put(number, static_cast<std::uint32_t>(low));
  const auto middle = static_cast<std::uint32_t>(low >> 32);
  if (middle != 0) put(number + 1, middle);
  if constexpr (wide) {
    const auto high = static_cast<std::uint32_t>(std::uint64_t{code} >> 1 >> (63 - shift));
    if (high != 0) put(number + 2, high);
  }
}

/// Stores the bytes of a word that are of the block: neighbors may be written at the same time.
WEFT_HOST_DEVICE inline void store_word(const MessageWords& words, int number, std::uint32_t word) {
  std::byte* const to = words.address + 4 * number;
  const int begin = words.begin - 4 * number, end = words.end - 4 * number;
  if (begin <= 0 && end >= 4) {
    *reinterpret_cast<MessageWord*>(to) = word;
    return;
  }
  for (int byte = 0; byte < 4; ++byte) {
    if (byte >= begin && byte < end) to[byte] = static_cast<std::byte>(word >> (8 * byte));
  }
}

/// Code `number` of an encoded block.
template <class Code>
WEFT_INLINE Code load_code(const MessageWords& words, const BlockShape& shape, int number) {
  const auto width = static_cast<unsigned>(shape.format.width);
  const auto begin = static_cast<unsigned>(words.begin + shape.format.header_bytes);
  const unsigned bit = 8 * begin + static_cast<unsigned>(number) * width;
  const auto* const from = reinterpret_cast<const MessageWord*>(words.address) + bit / 32;
  const unsigned shift = bit % 32, last = shift + width;
  std::uint64_t bits = from[0];
  if (last > 32) bits |= std::uint64_t{from[1]} << 32;
  Code code = static_cast<Code>(bits >> shift);
  if constexpr (sizeof(Code) == 8) {
    if (last > 64) code |= std::uint64_t{from[2]} << (64 - shift);
  }
  constexpr unsigned code_bits = 8 * sizeof(Code);
  return width == code_bits ? code : code & ((Code{1} << width) - 1);
}

WEFT_INLINE std::uint32_t load_header(const BlockPlace& place, const BlockShape& shape) {
  if (shape.format.header_bytes == 0) return 0;
  return static_cast<std::uint32_t>(place.message[0]) | static_cast<std::uint32_t>(place.message[1])
                                                            << 8;
}

}  // namespace weft
