// Blosc: the bytes of equal significance of all numbers together, then LZ4.
#include <blosc.h>

#include <algorithm>
#include <cstring>

#include "codec/lossless.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Blosc takes less than 2^31 bytes at a time.
constexpr Index largest_piece = Index{1} << 30;
constexpr int level = 5;

}  // namespace

bool lossless_compresses() {
  return true;
}

Index lossless_compress(const std::byte* from, Index bytes, Index real_bytes, std::byte* to) {
  Index length = 0;
  for (Index done = 0; done < bytes; done += largest_piece) {
    const Index piece = std::min(largest_piece, bytes - done);
    // One byte less than there is: the length tells whether the message was compressed.
    const Index room = std::min(bytes - length - 1, piece + Index{BLOSC_MAX_OVERHEAD});
    const int written = blosc_compress_ctx(
        level, BLOSC_SHUFFLE, static_cast<std::size_t>(real_bytes), static_cast<std::size_t>(piece),
        from + done, to + length, static_cast<std::size_t>(room), BLOSC_LZ4_COMPNAME, 0, 1);
    if (written <= 0) {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
      return bytes;
    }
    length += written;
  }
  return length;
}

void lossless_expand(const std::byte* from, Index length, Index bytes, Index, std::byte* to) {
  if (length == bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  Index used = 0, done = 0;
  while (done < bytes && length - used >= BLOSC_MIN_HEADER_LENGTH) {
    std::size_t piece = 0, compressed = 0, block = 0;
    blosc_cbuffer_sizes(from + used, &piece, &compressed, &block);
    const auto left = static_cast<std::size_t>(bytes - done);
    if (compressed == 0 || compressed > static_cast<std::size_t>(length - used) || piece > left ||
        blosc_decompress_ctx(from + used, to + done, left, 1) != static_cast<int>(piece)) {
      break;
    }
    used += static_cast<Index>(compressed);
    done += static_cast<Index>(piece);
  }
  if (done != bytes || used != length) {
    throw Error("a losslessly compressed message of " + std::to_string(length) +
                " bytes does not give the " + std::to_string(bytes) + " bytes that it should");
  }
}

}  // namespace weft
