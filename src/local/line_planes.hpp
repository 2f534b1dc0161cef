#pragma once

#include "codec/host_device.hpp"
#include "local/line_pass.hpp"

namespace weft {

/// Passes over both axes of planes in one kernel: the second reads a plane while it is still in the
/// cache that all blocks of threads share. Blocks start in the order of their numbers. Those of the
/// second pass come `lag` planes after those of the first, and wait until these have finished the
/// plane.
struct PlanePass {
  LinePass first, second;
  std::uint32_t planes = 0;
  std::uint32_t first_blocks = 0;  ///< of a plane
  std::uint32_t second_blocks = 0;
  std::uint32_t lag = 0;
  /// By plane, in memory of the device: blocks that have finished, of either pass. The last one of
  /// the second pass makes it zero again.
  std::uint32_t* finished = nullptr;
};

/// What a block of threads of such a kernel works on.
struct PlaneBlock {
  std::uint32_t plane;
  std::uint32_t number;  ///< among the blocks of its pass
  bool is_second;
  bool exists;
};

inline std::uint32_t block_count(const PlanePass& pass) {
  return (pass.planes + pass.lag) * (pass.first_blocks + pass.second_blocks);
}

WEFT_INLINE PlaneBlock plane_block(const PlanePass& pass, std::uint32_t block) {
  const std::uint32_t of_both = pass.first_blocks + pass.second_blocks;
  const std::uint32_t turn = block / of_both, place = block % of_both;
  if (place < pass.first_blocks) {
    return {turn, turn * pass.first_blocks + place, false, turn < pass.planes};
  }
  const std::uint32_t plane = turn - pass.lag;
  return {plane, plane * pass.second_blocks + place - pass.first_blocks, true, turn >= pass.lag};
}

}  // namespace weft
