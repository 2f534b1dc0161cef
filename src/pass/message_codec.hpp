#pragma once

#include "codec/codec.hpp"
#include "device/coded_part.hpp"

namespace weft {

/// How the messages of one exchange are encoded in the present run, and what that did. Passes look
/// this up while they run, so that an exchange can go over to another codec without new passes.
struct MessageCodec {
  const Codec* codec = nullptr;  ///< null: the numbers as they are
  EncodingMeasure measure;
  bool faint = false;            ///< some numbers are so small that their squares may vanish
  EncodingSums* sums = nullptr;  ///< on a device, which sums up there what becomes of `measure`
};

}  // namespace weft
