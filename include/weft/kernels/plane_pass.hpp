#pragma once

#include <algorithm>

#include "weft/kernels/divisor.hpp"
#include "weft/kernels/inline.hpp"
#include "weft/kernels/line_pass.hpp"

namespace weft {

/// Of the passes over both axes of planes in one kernel: how they follow each other.
struct PlaneOrder {
  std::uint32_t planes = 0;
  std::uint32_t first_lines = 0;  ///< of a plane
  std::uint32_t second_lines = 0;
  /// Whether blocks of both passes alternate, in proportion to their numbers. Otherwise those of
  /// the second come after those of the first.
  bool mixed = false;
  /// Planes by which the second pass is late, one at least, and where blocks are mixed, so many of
  /// its blocks more.
  std::uint32_t lag = 0;
  std::uint32_t lag_blocks = 0;
  /// By plane, in memory of the device: blocks of the first pass that have finished, and those of
  /// the second that have begun. The last one of these makes it zero again.
  std::uint32_t* finished = nullptr;
};

/// Passes over both axes of planes in one kernel: the second reads a plane while it is still in the
/// cache that all blocks of threads share. Blocks start in the order of their numbers. Those of the
/// second pass come later than those of the first for the same plane, and wait until these have
/// finished it.
template <class First = LinePass, class Second = LinePass>
struct PlanePass : PlaneOrder {
  First first;
  Second second;

  WEFT_INLINE std::uint32_t first_blocks() const { return blocks(first, first_lines); }
  WEFT_INLINE std::uint32_t second_blocks() const { return blocks(second, second_lines); }
  WEFT_INLINE std::uint32_t blocks_of_plane() const { return first_blocks() + second_blocks(); }
  std::uint32_t blocks() const {
    return (planes + lag + (lag_blocks > 0 ? 1 : 0)) * blocks_of_plane();
  }
  unsigned block_threads() const { return std::min(first.block_threads(), second.block_threads()); }
  std::size_t shared_numbers() const {
    return std::max(first.shared_numbers(), second.shared_numbers());
  }

 private:
  WEFT_INLINE static std::uint32_t blocks(const LinePass& pass, std::uint32_t lines) {
    return quotient(lines + pass.lanes.count - 1, pass.lanes);
  }
};

/// Blocks of a plane from which on they are mixed: about as many as a GPU runs at a time. Where
/// planes have fewer, those that run are of both passes anyway (H200, 512 points: 2% slower).
inline constexpr std::uint32_t blocks_to_mix = 192;

/// Whether passes whose blocks have so many lines and threads in all can share blocks: as one of
/// both, the other one does more for each thread.
constexpr bool can_share_blocks(unsigned first_lines, unsigned first_threads, unsigned second_lines,
                                unsigned second_threads) {
  const unsigned fewer = std::min(first_threads, second_threads);
  return std::max(first_threads, second_threads) <= 2 * fewer &&
         fewer / first_lines * first_lines == fewer / second_lines * second_lines;
}

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

/// The same where blocks are mixed.
template <class Pass>
WEFT_INLINE PlaneBlock mixed_plane_block(const Pass& pass, std::uint32_t block) {
  const std::uint32_t of_plane = pass.blocks_of_plane(), of_second = pass.second_blocks();
  std::uint32_t plane = block / of_plane;
  const std::uint32_t place = block % of_plane;
  // Of the second pass, blocks that come before this one.
  const std::uint32_t before = place * of_second / of_plane;
  if ((place + 1) * of_second / of_plane == before) {
    const std::uint32_t first =
        plane * pass.first_lines + (place - before) * pass.first.lanes.count;
    return {plane, {first, (plane + 1) * pass.first_lines}, false, plane < pass.planes};
  }
  const bool is_of_next = before < pass.lag_blocks;
  plane -= pass.lag + (is_of_next ? 1 : 0);
  const std::uint32_t number = before + (is_of_next ? of_second : 0) - pass.lag_blocks;
  const std::uint32_t first = plane * pass.second_lines + number * pass.second.lanes.count;
  // Before the first plane, this is a large number.
  return {plane, {first, (plane + 1) * pass.second_lines}, true, plane < pass.planes};
}

}  // namespace weft
