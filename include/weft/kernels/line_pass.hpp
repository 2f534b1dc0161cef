#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/kernels/divisor.hpp"

/// One pass of a device over an array: every line along one axis is read once, transformed in
/// shared memory by Stockham's radices, and written once. Plain data, which kernels take as their
/// argument.
namespace weft {

/// Of a table of places: there is none.
inline constexpr std::int32_t no_place = -1;

/// Threads that a block may have, which bounds the registers of each: those of double precision are
/// twice as large.
constexpr unsigned most_line_threads(bool is_double) {
  return is_double ? 512 : 1024;
}

/// Threads of a block that has work for so many.
WEFT_HOST_DEVICE constexpr unsigned whole_warps(unsigned threads) {
  constexpr unsigned warp = 32;
  return (threads + warp - 1) / warp * warp;
}

/// One radix of a transform by decimation in frequency, in place in a buffer of rows. Butterfly b
/// takes the rows first_row[b], first_row[b] + leg, ..., and turns result q by
/// twiddles[(q - 1) butterflies + b].
struct LineStage {
  std::uint32_t radix;
  Divisor butterflies;  ///< of a line
  std::uint32_t leg;
  const std::int32_t* first_row;
  const void* twiddles;  ///< complex; unused in the last stage
};

/// How a pass reads and writes numbers.
enum class LineForm : std::uint8_t {
  whole,        ///< complex numbers, all of them stored as they are
  complex,      ///< complex numbers of which some are not stored, or that are turned
  convolved,    ///< the same, as lines that are convolved with a filter
  from_packed,  ///< contiguous real lines, as complex ones of half as many numbers, to spectra
  to_packed,    ///< the reverse
  from_reals,   ///< pairs of real lines to halves of Hermitian ones, or to reals made of these
  to_reals,     ///< the reverse
  real_pairs,   ///< real lines by way of complex ones of half as many numbers
};

/// Where the numbers of lines lie, in elements: complex numbers or reals.
struct LineSide {
  static constexpr int max_loops = 7;

  std::byte* data = nullptr;
  std::int64_t step = 1;  ///< from a number to the next one
  std::int64_t loop_step[max_loops] = {};
  /// Of two real lines that are one complex line: from the first to the second.
  std::int64_t second = 0;
  std::uint32_t stored = 0;  ///< of lines without a table, but for `whole` ones: the first ones
  bool across = false;       ///< neighboring threads take neighboring lines, else numbers
  bool adjacent = false;     ///< the second line is one real further, and pairs are aligned
  /// By number: of complex lines places, as std::int32_t, otherwise PlainEntry, PairEntry or
  /// PartsEntry. Null: numbers stand in order. Of spectra of packed lines, exp(-2 pi i k / n).
  const void* table = nullptr;
  const void* factors = nullptr;  ///< of complex lines: complex, by number, where not null
};

/// Complex lines that are the columns or the rows of longer lines, as a loop. Of the line with
/// index c in that loop, number k is number c + k length of the longer one, by which tables are
/// ordered.
struct LineMatrix {
  std::uint32_t loop = LineSide::max_loops;  ///< max_loops: lines are whole
  std::uint32_t length = 1;                  ///< of the loop
  /// Results are multiplied by exp(-+ 2 pi i c k / n), of n points: these factors for all multiples
  /// of 2^fine_log2 in place of c k, and for all numbers below that. Null: they are not.
  const void* coarse = nullptr;
  const void* fine = nullptr;
  std::uint32_t fine_log2 = 0;
};

struct LinePass {
  static constexpr int max_stages = 8;

  LineSide in, out;
  LineStage stage[max_stages];
  std::uint32_t stages = 0;  ///< two at least
  std::uint32_t points = 1;
  std::uint32_t pitch = 1;  ///< rows of the buffer of a line
  bool backward = false;
  LineForm form = LineForm::whole;
  double scale = 1;

  std::uint32_t lines = 0;  ///< of complex numbers
  std::uint32_t loops = 0;  ///< around lines, slowest first
  Divisor loop[LineSide::max_loops];
  /// The loop with a place where there is no second real line, and that place.
  std::uint32_t odd_loop = LineSide::max_loops;
  std::uint32_t odd_place = 0;

  Divisor lanes;    ///< lines of a block of threads
  Divisor threads;  ///< of a line

  LineMatrix matrix;

  /// Of lines that are convolved: what their spectra, or those of the longer lines, are multiplied
  /// by. Complex, by number, over the number of points.
  const void* filter = nullptr;

  /// Where blocks of threads last, taking other lines as soon as they have done some: how many may
  /// run, and in memory of the device, how often they have looked for lines. The last one that
  /// finds none makes this zero again.
  std::uint32_t lasting_blocks = 0;
  std::uint32_t* taken = nullptr;

  /// Blocks of threads for all lines, of which there is one at least.
  WEFT_INLINE std::uint32_t blocks() const { return (lines - 1) / lanes.count + 1; }
  /// Those that are launched.
  std::uint32_t launched_blocks() const {
    return taken == nullptr || blocks() < lasting_blocks ? blocks() : lasting_blocks;
  }
  /// Complex numbers that the threads of a block share; where it lasts, one has the number of the
  /// lines that are next.
  std::size_t shared_numbers() const {
    return std::size_t{lanes.count} * pitch + (lasting_blocks > 0 ? 1 : 0);
  }
  WEFT_INLINE unsigned block_threads() const { return whole_warps(lanes.count * threads.count); }
};

/// What a block of threads works on: lines from the first one on, as many as it takes, but none
/// from `end` on.
struct BlockLines {
  std::uint32_t first;
  std::uint32_t end;
};

}  // namespace weft
