#pragma once

#include <vector>

#include "schedule/cut.hpp"
#include "schedule/step_memory.hpp"

namespace weft {

/// One side of a redistribution, as far as the choice of its cut depends on it.
struct ChunkSide {
  const Distribution* distribution = nullptr;
  AxisMask transformed = 0;  ///< in the stage next to the redistribution
  /// Axes along which that stage can be cut. One that is transformed can only where it is divided
  /// into a stage of its own.
  AxisMask cuts = ~AxisMask{0};
  Index parts = 1;  ///< as many as are wanted
};

/// A redistribution as far as the choice of its chunks depends on it.
struct ChunkRequest {
  ChunkSide sender;
  ChunkSide receiver;
  Extents shape;
  int halved = -1;      ///< axis of real lines, which are transformed before or after all others
  AxisList order;       ///< of the elements in a message
  Index alignment = 1;  ///< of cuts along the fastest axis of messages
};

/// Both sides have the same parts along an axis that the redistribution leaves alone, where there
/// is one along which both can be cut; best one that neither transforms (such as that of a batch),
/// then one that can be transformed apart from the other axes. Then there are as many as either
/// side wants.
///
/// Otherwise each side is cut on its own, along an axis that it does not transform: the slowest in
/// messages that has points enough, so that what is contiguous stays long. A part travels in pieces
/// only for the side where fewer axes are transformed, as this one keeps up with them.
Chunking choose_chunking(const ChunkRequest& request);

/// Divides axes transformed between two redistributions so that parts arrive before their axis is
/// transformed and leave after it was: the axis that the next redistribution cuts goes first (with
/// the halved axis, if any), that of the last one goes last. -1: none.
std::vector<AxisMask> separate(AxisMask mask, int cut_in, int cut_out, int halved);

}  // namespace weft
