// In place of a library that compresses.
#include <cstring>

#include "codec/lossless.hpp"
#include "weft/error.hpp"

namespace weft {

bool lossless_compresses() {
  return false;
}

Index lossless_compress(const std::byte* from, Index bytes, Index, std::byte* to) {
  if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  return bytes;
}

void lossless_expand(const std::byte* from, Index length, Index bytes, Index, std::byte* to) {
  if (length != bytes) {
    throw Error("a message is compressed, but this weft was built without Blosc");
  }
  if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace weft
