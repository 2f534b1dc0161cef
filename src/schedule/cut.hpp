#pragma once

#include <vector>

#include "geometry/distribution.hpp"

namespace weft {

/// How the boxes of one side of a redistribution are cut into parts, so that the stage on that side
/// works on one of them while others are under way. Each rank cuts its own interval of the axis.
struct Cut {
  int axis = -1;
  Index count = 1;      ///< 1: the boxes are not cut
  Index alignment = 1;  ///< parts begin at multiples of this, in global coordinates

  friend bool operator==(const Cut&, const Cut&) = default;
  /// A part of a box, or all of it where the number is Chunk::whole.
  Box part(const Box& box, Index number) const;
};

/// What travels at a time: of every message the points in one part of the sender's box and in one
/// part of the receiver's box.
struct Chunk {
  static constexpr Index whole = -1;

  Index sent = whole;  ///< number of the sender's part; whole: its box is not cut for this chunk
  Index received = whole;  ///< number of the receiver's part

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// In which order the parts of both sides travel, where these are different ones. Each order is the
/// other one in reverse, with sender and receiver exchanged.
enum class ChunkOrder {
  /// Each part of the sender travels as a whole as soon as it is there, but for the last: this one
  /// travels in the receiver's parts. So the receiver has its first part when the last one of the
  /// sender begins to arrive, and works on it and the next ones while the rest does.
  by_sender,
  /// The first part of the receiver travels in the sender's parts, as soon as these are there, and
  /// then each of its other parts as a whole.
  by_receiver,
};

/// How a redistribution is cut into chunks.
struct Chunking {
  Cut sender;
  Cut receiver;
  ChunkOrder order = ChunkOrder::by_sender;

  bool is_cut() const { return sender.count > 1 || receiver.count > 1; }
  /// Of the way back.
  Chunking reversed() const;
  /// In the order in which they set out. Between these distributions of an array of this shape.
  std::vector<Chunk> chunks(const Distribution& before, const Distribution& after,
                            const Extents& shape) const;
};

/// Whether points that a rank has before and those that it gets, or sends, are in the same interval
/// of this axis, on all ranks.
bool leaves_alone(const Distribution& before, const Distribution& after, const Extents& shape,
                  int axis);

}  // namespace weft
