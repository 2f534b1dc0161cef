#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codec/codec.hpp"
#include "device/encoding_sums.hpp"
#include "device/host_copy.hpp"
#include "exchange/exchange.hpp"
#include "geometry/layout.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Number of memory that a program works on: the user's arrays, buffers in the workspace, and every
/// message, wherever it lies.
using BufferId = std::size_t;
inline constexpr BufferId input_buffer = 0;
inline constexpr BufferId output_buffer = 1;
inline constexpr BufferId no_buffer = static_cast<BufferId>(-1);

/// Where all of these begin in the present run.
using AddressTable = std::vector<std::byte*>;

/// How the messages of one exchange are encoded in the present run, and what that did. Passes look
/// this up while they run, so that an exchange can go over to another codec without new passes.
struct MessageCodec {
  const Codec* codec = nullptr;  ///< null: the numbers as they are
  EncodingMeasure measure;
  bool faint = false;            ///< some numbers are so small that their squares may vanish
  EncodingSums* sums = nullptr;  ///< on a device, which sums up there what becomes of `measure`
};

/// A box of elements in memory: element (i) is at `offset` + sum (i[a]-box.lower[a]) * stride[a].
struct ArrayView {
  Box box;
  Strides stride;
  Index offset = 0;  ///< in elements
  BufferId buffer = input_buffer;
  MessageCodec* encoding = nullptr;  ///< of the messages of which it is one; null: of an array
  bool is_moved = false;             ///< by the exchange: then it is encoded where messages are

  bool is_message() const { return encoding != nullptr; }
  /// In the present run.
  bool is_encoded() const { return is_moved && encoding->codec != nullptr; }
  /// Where others are encoded, messages that are not count for the relative error all the same.
  bool is_measured() const { return is_message() && encoding->codec != nullptr; }

  std::byte* base(const AddressTable& addresses) const { return addresses[buffer]; }
  /// Address of the first element of a part, unless it is encoded.
  std::byte* address(const Box& part, const AddressTable& addresses, CopyElement element) const {
    return base(addresses) + (offset + position_in(box, stride, part.lower)) * bytes_of(element);
  }
};

/// One side of a pass: where the array lies, as views that tile this rank's box. A plain array is
/// one view; packed messages are one each. This is what lets a transform read from and write to
/// message buffers without a pass over memory of its own for packing.
struct PassSide {
  std::vector<ArrayView> views;
  AxisList order;  ///< of the elements in a view, slowest axis first
  CopyElement element;

  /// Whether it is a plain array.
  bool is_array() const { return views.size() == 1 && !views[0].is_message(); }
  /// Whether it is an array that holds all of `part`.
  bool is_array_with(const Box& part) const { return is_array() && contains(views[0].box, part); }
  bool has_messages() const {
    return std::any_of(views.begin(), views.end(),
                       [](const ArrayView& view) { return view.is_message(); });
  }
  bool is_encoded() const {
    return std::any_of(views.begin(), views.end(),
                       [](const ArrayView& view) { return view.is_encoded(); });
  }
};

/// Calls work(view, part) for each view and what it has of a box; of messages only for those that
/// `only` encodes, where that is not null.
template <class Work>
void for_each_view(const PassSide& side, const Box& box, const MessageCodec* only, Work&& work) {
  for (const ArrayView& view : side.views) {
    if (only != nullptr && view.encoding != only) continue;
    const Box part = intersection(box, view.box);
    if (!part.empty()) work(view, part);
  }
}

/// Distances in a dense block of a region, such as a message.
inline Strides message_strides(const Box& region, const AxisList& order) {
  Memory memory;
  memory.order = order;
  return memory.dense().view(region).stride;
}

inline ArrayView message_view(const Message& message, const AxisList& order, BufferId buffer,
                              MessageCodec& encoding) {
  return {message.region,          message_strides(message.region, order), 0, buffer, &encoding,
          message.place.is_moved()};
}

/// This rank's part of an array as a side.
inline PassSide array_side(const ArrayState& state, const ResolvedProblem& problem,
                           BufferId buffer) {
  const Memory& memory = state.layout.memory;
  const View view = memory.view(state.box(problem.rank));
  return {{{view.box, view.stride, view.offset, buffer}},
          memory.order,
          {problem.precision, state.complex}};
}

}  // namespace weft
