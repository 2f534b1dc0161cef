#pragma once

#include <algorithm>

#include "weft/kernels/divisor.hpp"
#include "weft/kernels/inline.hpp"
#include "weft/kernels/line_pass.hpp"

namespace weft {

/// Of the passes over both axes of planes in one kernel: how they follow each other.
struct PlaneOrder {
  LineForm first_form = LineForm::whole, second_form = LineForm::whole;
  std::uint32_t planes = 0;
  std::uint32_t first_lines = 0;  ///< of a plane
  std::uint32_t second_lines = 0;
  std::uint32_t lag = 0;
  /// By plane, in memory of the device: blocks of the first pass that have finished, and those of
  /// the second that have begun. The last one of these makes it zero again.
  std::uint32_t* finished = nullptr;
};

/// Passes over both axes of planes in one kernel: the second reads a plane while it is still in the
/// cache that all blocks of threads share. Blocks start in the order of their numbers. Those of the
/// second pass come `lag` planes after those of the first, and wait until these have finished the
/// plane.
template <class First = LinePass, class Second = LinePass>
struct PlanePass : PlaneOrder {
  First first;
  Second second;

  WEFT_INLINE std::uint32_t first_blocks() const { return blocks(first, first_lines); }
  WEFT_INLINE std::uint32_t second_blocks() const { return blocks(second, second_lines); }
  WEFT_INLINE std::uint32_t blocks_of_plane() const { return first_blocks() + second_blocks(); }
  std::uint32_t blocks() const { return (planes + lag) * blocks_of_plane(); }
  unsigned block_threads() const { return std::min(first.block_threads(), second.block_threads()); }
  std::size_t shared_numbers() const {
    return std::max(first.shared_numbers(), second.shared_numbers());
  }

 private:
  WEFT_INLINE static std::uint32_t blocks(const LinePass& pass, std::uint32_t lines) {
    return quotient(lines + pass.lanes.count - 1, pass.lanes);
  }
};

/// What a block of threads of such a kernel works on.
struct PlaneBlock {
  std::uint32_t plane;
  BlockLines lines;
  bool is_second;
  bool exists;
};

template <class Pass>
WEFT_INLINE PlaneBlock plane_block(const Pass& pass, std::uint32_t block) {
  const std::uint32_t of_plane = pass.blocks_of_plane();
  const std::uint32_t turn = block / of_plane, place = block % of_plane;
  const bool is_second = place >= pass.first_blocks();
  const std::uint32_t plane = is_second ? turn - pass.lag : turn;
  const std::uint32_t number = is_second ? place - pass.first_blocks() : place;
  const std::uint32_t lines = is_second ? pass.second_lines : pass.first_lines;
  const std::uint32_t lanes = is_second ? pass.second.lanes.count : pass.first.lanes.count;
  return {plane,
          {plane * lines + number * lanes, (plane + 1) * lines},
          is_second,
          is_second ? turn >= pass.lag : turn < pass.planes};
}

}  // namespace weft
