#pragma once

#include <cstddef>

#include "weft/axes.hpp"

namespace weft {

/// False in a weft that was built without a library that compresses: messages are copied.
bool lossless_compresses();

/// Writes at most `bytes` bytes to `to`, and returns how many; `bytes` when the message does not
/// get shorter and is copied. `real_bytes` is the size of the reals that it consists of. The
/// library allocates working memory of a few hundred KiB in every call, and frees it.
Index lossless_compress(const std::byte* from, Index bytes, Index real_bytes, std::byte* to);

/// Restores the `bytes` bytes of a message from the `length` bytes of lossless_compress. Throws
/// Error when they are not such a message.
void lossless_expand(const std::byte* from, Index length, Index bytes, Index real_bytes,
                     std::byte* to);

}  // namespace weft
