#pragma once

#include <vector>

#include "schedule/stage.hpp"
#include "schedule/step_memory.hpp"

namespace weft {

/// A redistribution as far as the choice of its chunks depends on it.
struct ChunkRequest {
  const Distribution* before = nullptr;
  const Distribution* after = nullptr;
  Extents shape;
  AxisMask transformed_before = 0;  ///< in the stages just before and just after
  AxisMask transformed_after = 0;
  AxisList order;  ///< of the elements in a message
  Index count = 1;
  Index alignment = 1;  ///< of cuts along the fastest axis of messages
  /// Axes along which the stages on either side can be cut. Those that are transformed can only
  /// where they are divided into stages of their own.
  AxisMask cuts_before = ~AxisMask{0};
  AxisMask cuts_after = ~AxisMask{0};
};

/// Cuts along an axis that the redistribution leaves alone, best one that neither neighbour
/// transforms (such as that of a batch), then one that can be transformed apart from the other
/// axes. Where there is no such axis each sender cuts its own box, and only its side overlaps.
/// Where no side can be cut there is one chunk.
Chunking choose_chunking(const ChunkRequest& request);

/// Divides axes transformed between two redistributions so that chunks arrive before their axis is
/// transformed and leave after it was: the chunk axis of the next redistribution goes first (with
/// the halved axis, if any), that of the last one goes last. -1: none.
std::vector<AxisMask> separate(AxisMask mask, int chunks_in, int chunks_out, int halved);

}  // namespace weft
