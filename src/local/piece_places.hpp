#pragma once

// Where the lines of a block of threads are in messages.
#include <algorithm>
#include <cstring>

#include "local/side_pieces.hpp"
#include "weft/kernels/line_forms.hpp"

namespace weft::stockham {

inline std::byte* emulated_memory();

namespace {

/// What the threads of a block share beside numbers. On the host they are one thread.
template <class Real>
struct PieceMemory {
  WEFT_INLINE static PiecePlace* places(const PieceLines& pass) {
#if WEFT_ON_DEVICE
    extern __shared__ double2 shared[];
    auto* const memory = reinterpret_cast<std::byte*>(shared);
#else
    std::byte* const memory = emulated_memory();
#endif
    return reinterpret_cast<PiecePlace*>(memory + pass.place_bytes(sizeof(Complex<Real>)));
  }
  /// As one word.
  WEFT_INLINE static PiecePlace read(const PiecePlace* from) {
#if WEFT_ON_DEVICE
    const ulonglong2 words = *reinterpret_cast<const ulonglong2*>(from);
    PiecePlace place;
    memcpy(&place, &words, sizeof(place));
    return place;
#else
    return *from;
#endif
  }
  /// Of a thread.
  WEFT_INLINE static EncodingSums& sums(const PieceLines& pass, std::uint32_t number) {
#if WEFT_ON_DEVICE
    auto* const all = reinterpret_cast<EncodingSums*>(places(pass) + pass.places());
    return all[number * blockDim.x + threadIdx.x];
#else
    return *pass.sides.out.sums[number];
#endif
  }
  /// By number of the input, and after these of the output.
  WEFT_INLINE static std::uint8_t* piece_of(const PieceLines& pass) {
#if WEFT_ON_DEVICE
    const std::uint32_t threads = blockDim.x;
#else
    const std::uint32_t threads = pass.block_threads();
#endif
    return reinterpret_cast<std::uint8_t*>(
        reinterpret_cast<EncodingSums*>(places(pass) + pass.places()) +
        pass.sides.out.sum_count * threads);
  }
};

/// Where a line is in a piece.
template <class Real>
WEFT_INLINE PiecePlace place_of(const PieceLines& pass, const SidePiece& piece,
                                std::uint32_t line) {
  std::int64_t at = -std::int64_t{piece.first} * piece.step;
  for (int loop = SidePiece::max_loops - 1; loop > 0; --loop) {
    at += take(line, pass.loop[loop]) * piece.loop_step[loop];
  }
  at += line * piece.loop_step[0];
  const std::int64_t bytes = sizeof(Complex<Real>) / (piece.is_short ? 2 : 1);
  return {reinterpret_cast<std::uintptr_t>(piece.data) + static_cast<std::uint64_t>(at * bytes),
          static_cast<std::uint32_t>(piece.step * bytes), PieceState(piece)};
}

/// A thread's share of what its block must know of pieces.
template <class Real>
WEFT_INLINE void enter_places(const PieceLines& pass, const BlockLines& lines, std::uint32_t thread,
                              std::uint32_t threads) {
  const SidePieces &in = pass.sides.in, &out = pass.sides.out;
  std::uint8_t* const piece_of = PieceMemory<Real>::piece_of(pass);
  const auto enter_numbers = [&](const SidePieces& side, std::uint8_t* numbers) {
    for (std::uint32_t i = 0; i < side.pieces; ++i) {
      const std::uint32_t end = i + 1 < side.pieces ? side.piece[i + 1].first : side.numbers;
      for (std::uint32_t number = side.piece[i].first + thread; number < end; number += threads) {
        numbers[number] = static_cast<std::uint8_t>(i);
      }
    }
  };
  enter_numbers(in, piece_of);
  enter_numbers(out, piece_of + in.numbers);
  PiecePlace* const places = PieceMemory<Real>::places(pass);
  for (std::uint32_t i = thread; i < pass.places(); i += threads) {
    std::uint32_t piece = i;
    const std::uint32_t lane = take(piece, pass.lanes);
    places[i] =
        place_of<Real>(pass, piece < in.pieces ? in.piece[piece] : out.piece[piece - in.pieces],
                       std::min(lines.first + lane, lines.end - 1));
  }
}

/// The places of a line on one side.
template <class Real>
class PieceLine {
 public:
  WEFT_INLINE static PieceLine of_input(const PieceLines& pass, const LinePlace& line) {
    return {pass, 0, 0, line};
  }
  WEFT_INLINE static PieceLine of_output(const PieceLines& pass, const LinePlace& line) {
    return {pass, pass.sides.in.pieces, pass.sides.in.numbers, line};
  }

  WEFT_INLINE PiecePlace place_of(std::uint32_t number) const {
    return PieceMemory<Real>::read(places_ + piece_of_[number] * lanes_);
  }

 private:
  WEFT_INLINE PieceLine(const PieceLines& pass, std::uint32_t first_piece,
                        std::uint32_t first_number, const LinePlace& line)
      : piece_of_(PieceMemory<Real>::piece_of(pass) + first_number), lanes_(pass.lanes.count) {
    std::uint32_t number = line.number;
    const std::uint32_t lane = take(number, pass.lanes);
    places_ = PieceMemory<Real>::places(pass) + first_piece * lanes_ + lane;
  }

  const std::uint8_t* piece_of_;
  std::uint32_t lanes_;
  const PiecePlace* places_;
};

}  // namespace

}  // namespace weft::stockham
