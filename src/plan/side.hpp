#pragma once

#include <cstddef>
#include <vector>

#include "geometry/layout.hpp"

namespace weft {

/// Number of a piece of memory that a program works on: the user's arrays or a part of the
/// workspace. Where it starts is known when the program runs.
using Slot = int;
inline constexpr Slot input_slot = 0;
inline constexpr Slot output_slot = 1;

/// Base address of every slot in one run.
using SlotBases = std::vector<std::byte*>;

struct Encoding;

/// A box of elements in a slot: element (i) is at `offset` + sum (i[a]-box.lower[a]) * stride[a]. A
/// message of an exchange may be encoded, and then begins where its encoding says.
struct Piece {
  Box box;
  Strides stride;
  Index offset = 0;  ///< in elements
  Slot slot = input_slot;
  Encoding* encoding = nullptr;  ///< of the exchange, for messages
  std::size_t message = 0;       ///< number within the encoding
};

/// One side of a pass: where the array lies, as pieces that tile this rank's box. A plain array is
/// one piece; packed messages are one each. This is what lets a transform read from and write to
/// message buffers without a pass over memory of its own for packing.
struct Side {
  std::vector<Piece> pieces;
  AxisList order;  ///< of the elements in a piece, slowest axis first
  bool complex = true;

  bool is_array() const { return pieces.size() == 1; }
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
