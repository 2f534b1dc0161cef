#pragma once

// Sides of passes over lines that are messages: a line lies in several, each of which has
// neighboring numbers of all lines, as they are or shortened by a codec. Plain data, which kernels
// take as their argument.
#include "device/encoding_sums.hpp"
#include "weft/kernels/line_pass.hpp"

namespace weft {

/// A message: numbers of all lines from one number on.
struct SidePiece {
  static constexpr int max_loops = 3;

  std::byte* data = nullptr;  ///< number `first` of line 0; null: it is not written
  std::int64_t step = 1;      ///< as those of LineSide
  std::int64_t loop_step[max_loops] = {};
  std::uint32_t first = 0;
  bool is_short = false;  ///< numbers are codes of half the size
  std::uint8_t sums = 0;  ///< which ones of the side; most_sums: none
};

/// One side of a pass, in pieces. A side that is an array is one piece.
struct SidePieces {
  static constexpr std::uint32_t most = 32;

  SidePiece piece[most];
  std::uint32_t pieces = 1;
  std::uint32_t numbers = 0;  ///< of a line; 0: the side is real, and an array
  /// What shortening did to the numbers of some pieces is added to each of these. Before that it is
  /// summed up by warps.
  static constexpr std::uint32_t most_sums = 4;
  std::uint32_t sum_count = 0;
  EncodingSums* sums[most_sums] = {};
  EncodingSums* warp_sums = nullptr;
};

struct PieceSides {
  SidePieces in, out;
};

/// What a thread must know of a piece, as one word: the first bit says whether it is short, the
/// next one whether it is not written, and the others which sums it adds to.
class PieceState {
 public:
  PieceState() = default;
  WEFT_INLINE explicit PieceState(const SidePiece& piece)
      : word_((piece.is_short ? 1 : 0) | (piece.data == nullptr ? 2 : 0) | piece.sums << 2) {}

  WEFT_INLINE std::uint32_t short_bit() const { return word_ & 1; }
  WEFT_INLINE bool is_short() const { return short_bit() != 0; }
  WEFT_INLINE bool is_written() const { return (word_ & 2) == 0; }
  WEFT_INLINE bool adds_to(std::uint32_t sums) const { return word_ >> 1 == sums << 1; }
  WEFT_INLINE void leave_out() { word_ = 2; }

 private:
  std::uint32_t word_ = 0;
};

/// Where a line is in a piece.
struct alignas(16) PiecePlace {
  std::uint64_t address = 0;  ///< of number 0, which may lie before the array
  std::uint32_t step = 0;     ///< in bytes
  PieceState state;

  WEFT_INLINE std::byte* at(std::uint32_t number) const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): no pointer holds the address of number 0
    return reinterpret_cast<std::byte*>(address + std::uint64_t{number} * step);
  }
};

/// The argument of a pass whose sides are in pieces. Beside numbers, threads of a block share the
/// places of their lines, those of the input first, sums, and the piece of each number.
struct PieceLines : LinePass {
  /// Threads that add up their sums together. AMD's hardware has warps of twice as many.
  static constexpr int warp = 32;

  PieceSides sides;

  /// Of the numbers that a thread reads together, or writes, how many at a time lie in one piece:
  /// it looks up their piece once.
  std::uint32_t per_lookup(bool input) const {
    const SidePieces& side = input ? sides.in : sides.out;
    const LineStage& outer = stage[input ? 0 : stages - 1];
    if (side.pieces == 1) return outer.radix;
    std::uint32_t count = 8;
    const auto suits = [&] {
      bool all = outer.radix % count == 0;
      for (std::uint32_t i = 0; all && i < side.pieces; ++i) {
        all = side.piece[i].first % (count * outer.butterflies.count) == 0;
      }
      return all;
    };
    while (count > 1 && !suits()) count /= 2;
    return count;
  }

  WEFT_INLINE std::uint32_t warps() const { return blocks() * (block_threads() / warp); }

  /// Behind the numbers.
  WEFT_INLINE std::size_t place_bytes(std::size_t number_bytes) const {
    constexpr std::size_t alignment = sizeof(PiecePlace);
    return (std::size_t{lanes.count} * pitch * number_bytes + alignment - 1) / alignment *
           alignment;
  }
  WEFT_INLINE std::uint32_t places() const {
    return lanes.count * (sides.in.pieces + sides.out.pieces);
  }
  std::size_t shared_bytes(std::size_t number_bytes) const {
    return place_bytes(number_bytes) + places() * sizeof(PiecePlace) +
           sides.out.sum_count * block_threads() * sizeof(EncodingSums) + sides.in.numbers +
           sides.out.numbers;
  }
};

}  // namespace weft
