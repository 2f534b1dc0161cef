#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "geometry/layout.hpp"
#include "plan/encoding.hpp"

namespace weft {

/// Number of a piece of memory that a program works on: the user's arrays or a part of the
/// workspace. Where it starts is known when the program runs.
using Slot = int;
inline constexpr Slot input_slot = 0;
inline constexpr Slot output_slot = 1;

/// Base address of every slot in one run.
using SlotBases = std::vector<std::byte*>;

/// A box of elements in a slot: element (i) is at `offset` + sum (i[a]-box.lower[a]) * stride[a]. A
/// message of an exchange may be encoded, and then begins where its encoding says.
struct Piece {
  Box box;
  Strides stride;
  Index offset = 0;  ///< in elements
  Slot slot = input_slot;
  Encoding* encoding = nullptr;  ///< of the exchange, for messages
  std::size_t message = 0;       ///< number within the encoding

  /// Whether it is encoded in some runs, and whether in the present one.
  bool may_be_encoded() const { return encoding != nullptr; }
  bool is_encoded() const { return may_be_encoded() && encoding->encodes(message); }

  /// Where it begins, but for `offset`.
  std::byte* base(const SlotBases& bases) const {
    std::byte* const begin = bases[static_cast<std::size_t>(slot)];
    if (!may_be_encoded() || encoding->offsets[message] < 0) return begin;
    return begin + encoding->offsets[message];
  }
  /// Address of the first element of a part, unless the piece is encoded.
  std::byte* address(const Box& part, const SlotBases& bases, Index element_bytes) const {
    return base(bases) + (offset + position_in(box, stride, part.lower)) * element_bytes;
  }
};

/// One side of a pass: where the array lies, as pieces that tile this rank's box. A plain array is
/// one piece; packed messages are one each. This is what lets a transform read from and write to
/// message buffers without a pass over memory of its own for packing.
struct Side {
  std::vector<Piece> pieces;
  AxisList order;  ///< of the elements in a piece, slowest axis first
  bool complex = true;

  /// Whether it is a plain array.
  bool is_array() const { return pieces.size() == 1 && !pieces[0].may_be_encoded(); }
  /// Whether it is an array that holds all of `part`.
  bool is_array_with(const Box& part) const { return is_array() && contains(pieces[0].box, part); }
  bool may_be_encoded() const {
    return std::any_of(pieces.begin(), pieces.end(),
                       [](const Piece& piece) { return piece.may_be_encoded(); });
  }
};

/// Distances in a dense block of a region, such as a message.
inline Strides message_strides(const Box& region, const AxisList& order) {
  Memory memory;
  memory.order = order;
  return memory.dense().view(region).stride;
}

/// The whole of a view as a side.
inline Side array_side(const View& view, Slot slot, const AxisList& order, bool complex) {
  return {{{view.box, view.stride, view.offset, slot}}, order, complex};
}

}  // namespace weft
