#pragma once

#include "weft/host_device.hpp"

namespace weft {

/// Which codes numbers get; schemes.hpp has what each name stands for.
enum class BlockScheme {
  plain,  ///< the numbers as they are
  bfp,
  wide_bfp,
  trim,
  fp32,
  fp16,
  bf16,
};

/// How a codec of blocks of 64 reals lays them out: a header, then codes of `width` bits.
struct BlockFormat {
  BlockScheme scheme = BlockScheme::plain;
  int width = 64;
  int header_bytes = 0;

  /// Bytes of a block with `reals` numbers.
  WEFT_HOST_DEVICE constexpr int bytes(int reals) const {
    return reals == 0 ? 0 : header_bytes + (reals * width + 7) / 8;
  }
};

}  // namespace weft
