#pragma once

#include <variant>
#include <vector>

#include "geometry/layout.hpp"
#include "schedule/cut.hpp"
#include "schedule/problem.hpp"

namespace weft {

/// The distributed array between two stages.
struct ArrayState {
  Extents shape;
  bool complex = true;
  Layout layout;

  Box box(Index rank) const { return layout.distribution.box(shape, rank); }
};

Index element_bytes(bool complex, Precision precision);

/// Ranks that exchange data only among themselves: those that agree in the parts of these factors.
/// No factors: all ranks.
struct Group {
  std::vector<GridFactor> fixed;  ///< by increasing stride

  friend bool operator==(const Group& a, const Group& b);
  /// Number of the group that `rank` belongs to.
  Index color(Index rank) const;
  /// Position of `rank` among the ranks of its group, in increasing order.
  Index rank_within(Index rank) const;
};

/// The ranks that exchange data between two distributions: fixed are the factors that both grids
/// give to the same axis, as ranks that differ in them never talk.
Group common_group(const Distribution& before, const Distribution& after, Index ranks);

/// Transforms axes that every rank has whole, and changes the memory layout on the way. Without
/// axes it is a copy.
struct LocalStage {
  AxisList axes;  ///< in the order of transformation
  ArrayState before;
  ArrayState after;
};

/// Moves the array to another distribution.
struct RedistributeStage {
  ArrayState before;
  ArrayState after;
  Group group;
  AxisList order;  ///< of the elements within a message, slowest axis first
  Chunking chunking;

  /// What travels one after another; one chunk where nothing is cut.
  std::vector<Chunk> chunks() const {
    return chunking.chunks(before.layout.distribution, after.layout.distribution, before.shape);
  }
};

using Stage = std::variant<LocalStage, RedistributeStage>;

const ArrayState& before(const Stage& stage);
const ArrayState& after(const Stage& stage);

/// The stages of one direction. Every field is known without MPI.
struct Schedule {
  Direction direction = Direction::forward;
  std::vector<Stage> stages;
};

/// The schedule of the inverse transform: the same stages in reverse.
Schedule reversed(const Schedule& schedule);

/// A part of the array that one rank has before a redistribution and another one after it.
struct MessageRegion {
  Index peer = 0;
  Box region;
};

/// What one rank sends and receives, itself included, in increasing order of peers.
struct MessageLists {
  std::vector<MessageRegion> sends;
  std::vector<MessageRegion> receives;
};

MessageLists messages(const RedistributeStage& stage, Index rank);
/// Only what is in one chunk.
MessageLists messages(const RedistributeStage& stage, Index rank, const Chunk& chunk);

}  // namespace weft
