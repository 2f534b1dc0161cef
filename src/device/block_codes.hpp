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

/// A value whose lowest bit becomes bit `at` of a word, or lies before it.
template <class Value>
WEFT_INLINE std::uint32_t shifted(Value value, int at) {
  const auto wide = static_cast<std::uint64_t>(value);
  return static_cast<std::uint32_t>(at >= 0 ? wide << at : wide >> -at);
}

/// Word `number` of an encoded block: the header, then the codes, the lowest bit first.
template <class Code>
WEFT_HOST_DEVICE inline std::uint32_t encoded_word(const Code* codes, const BlockShape& shape,
                                                   std::uint32_t header, int begin, int number) {
  const int width = shape.format.width;
  std::uint32_t word = 0;
  const int header_at = 8 * begin - 32 * number;
  if (shape.format.header_bytes > 0 && header_at > -16) word = shifted(header, header_at);
  // First bit of the word among the codes; negative where the header comes before them.
  const int first_bit = -(header_at + 8 * shape.format.header_bytes);
  int code = first_bit <= 0
                 ? 0
                 : static_cast<int>(quotient(static_cast<std::uint32_t>(first_bit), shape.width));
  for (int at = code * width - first_bit; at < 32 && code < block_reals; at += width, ++code) {
    word |= shifted(codes[code], at);
  }
  return word;
}

/// Stores the bytes of a word that are of the block: neighbours may be written at the same time.
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
