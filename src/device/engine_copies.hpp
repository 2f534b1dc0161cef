#pragma once

#include <optional>

#include "device/copy_loops.hpp"

namespace weft {

/// A block as equal two-dimensional copies, which is what copy engines of accelerators can do. All
/// lengths and distances are in bytes.
struct EngineCopies {
  Index copies = 1;
  Index to_step = 0;  ///< between copies
  Index from_step = 0;
  Index rows = 1;
  Index to_pitch = 0;  ///< between rows
  Index from_pitch = 0;
  Index width = 0;  ///< contiguous on both sides
};

/// Nothing where a block is not of that shape, would take too many copies, or where its rows are
/// too far apart.
std::optional<EngineCopies> engine_copies(const Axes<CopyLoop>& loops, Index element_bytes);

}  // namespace weft
