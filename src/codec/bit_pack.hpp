#pragma once

#include <cstdint>
#include <cstring>

#include "codec/number_bits.hpp"

namespace weft {

// Codes of `width` bits one after another, the lowest bit first, so that the first n of them are
// the first n * width bits. A block is a whole number of 64-bit words. Neighbors are merged in
// pairs, which vector units do well, until two of them no longer fit a word; only what is left is
// shifted into place one by one. Bytes are those of a little-endian processor.

/// `count` words of `width` bits, 32 < width < 64, in the low bits.
[[gnu::always_inline]] inline void shift_together(const std::uint64_t* words, int count, int width,
                                                  std::byte* to) {
  std::uint64_t gathered = 0;
  int filled = 0;
  for (int i = 0; i < count; ++i) {
    gathered |= words[i] << filled;
    std::memcpy(to, &gathered, 8);  // not yet full: the next one overwrites it
    const int next = filled + width;
    const bool full = next >= 64;
    gathered = full ? words[i] >> 1 >> (63 - filled) : gathered;
    to += full ? 8 : 0;
    filled = next % 64;
  }
}

[[gnu::always_inline]] inline void shift_apart(const std::byte* from, int count, int width,
                                               std::uint64_t* words) {
  std::uint64_t packed[block_reals + 1];
  const int packed_words = count * width / 64;
  std::memcpy(packed, from, static_cast<std::size_t>(packed_words) * 8);
  packed[packed_words] = 0;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  for (int i = 0; i < count; ++i) {
    const int bit = i * width;
    const std::uint64_t low = packed[bit / 64] >> (bit % 64);
    const std::uint64_t high = packed[bit / 64 + 1] << 1 << (63 - bit % 64);
    words[i] = (low | high) & mask;
  }
}

template <int count>
[[gnu::always_inline]] inline void pack_words(const std::uint64_t* words, int width,
                                              std::byte* to) {
  if constexpr (count > 1) {
    if (width <= 32) {
      std::uint64_t merged[count / 2];
      for (int i = 0; i < count / 2; ++i) merged[i] = words[2 * i] | words[2 * i + 1] << width;
      return pack_words<count / 2>(merged, 2 * width, to);
    }
  }
  if (width == 64) {
    std::memcpy(to, words, count * std::size_t{8});
  } else {
    shift_together(words, count, width, to);
  }
}

template <int count>
[[gnu::always_inline]] inline void unpack_words(const std::byte* from, int width,
                                                std::uint64_t* words) {
  if constexpr (count > 1) {
    if (width <= 32) {
      std::uint64_t merged[count / 2];
      unpack_words<count / 2>(from, 2 * width, merged);
      const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
      for (int i = 0; i < count / 2; ++i) {
        words[2 * i] = merged[i] & mask;
        words[2 * i + 1] = merged[i] >> width;
      }
      return;
    }
  }
  if (width == 64) {
    std::memcpy(words, from, count * std::size_t{8});
  } else {
    shift_apart(from, count, width, words);
  }
}

/// A block of codes, whose other bits are zero; 8 * width bytes.
[[gnu::always_inline]] inline void pack(const std::uint64_t* codes, int width, std::byte* to) {
  pack_words<block_reals>(codes, width, to);
}
[[gnu::always_inline]] inline void pack(const std::uint32_t* codes, int width, std::byte* to) {
  std::uint64_t merged[block_reals / 2];
  for (int i = 0; i < block_reals / 2; ++i) {
    merged[i] = codes[2 * i] | std::uint64_t{codes[2 * i + 1]} << width;
  }
  pack_words<block_reals / 2>(merged, 2 * width, to);
}

[[gnu::always_inline]] inline void unpack(const std::byte* from, int width, std::uint64_t* codes) {
  unpack_words<block_reals>(from, width, codes);
}
[[gnu::always_inline]] inline void unpack(const std::byte* from, int width, std::uint32_t* codes) {
  std::uint64_t merged[block_reals / 2];
  unpack_words<block_reals / 2>(from, 2 * width, merged);
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  for (int i = 0; i < block_reals / 2; ++i) {
    codes[2 * i] = static_cast<std::uint32_t>(merged[i] & mask);
    codes[2 * i + 1] = static_cast<std::uint32_t>(merged[i] >> width);
  }
}

}  // namespace weft
