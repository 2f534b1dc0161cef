#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/axes.hpp"
#include "weft/host_device.hpp"

namespace weft {

/// One point of the part of an array that this rank owns.
struct Point {
  Extents index;     ///< in the global array
  Index field = 0;   ///< its number in the batch; forward_many counts on from field to field
  Index offset = 0;  ///< place of the element in the array that was passed to the plan
};

/// Neighboring elements along one axis, in memory of the plan or of the user.
struct PointLine {
  std::byte* values;    ///< the first one
  Index stride;         ///< in elements
  Index count;          ///< how many elements
  Point first;          ///< the point of the first element
  int axis;             ///< whose index grows
  Index offset_stride;  ///< distance between offsets of neighbors
  double scale;         ///< factor that the callback has to apply to the values first
};

/// A box of elements, in memory of a device, or of the plan or the user on the host. Each is read
/// in one place and, changed by a function, written in another or, as always on the host, the same
/// one.
struct PointBlock {
  /// Elements along an axis, with distances in elements.
  struct Loop {
    Index count = 1;   ///< how many
    Index to = 0;      ///< where they are written
    Index from = 0;    ///< where they are read
    Index offset = 0;  ///< distance between offsets of neighbors
    int axis = 0;      ///< whose index grows; that behind the last one counts fields
  };
  static constexpr int most_loops = Extents::capacity;  ///< one for each axis, one for fields

  std::byte* to = nullptr;          ///< where the first element is written
  const std::byte* from = nullptr;  ///< where it is read
  Loop loops[most_loops];           ///< fastest first; those behind loop_count have one element
  int loop_count = 1;               ///< how many there are
  Point first;                      ///< the point of the first element
  double scale = 1;                 ///< factor that the callback has to apply to the numbers first

  /// Lines along the first loop.
  WEFT_HOST_DEVICE std::uint64_t rows() const {
    std::uint64_t count = 1;
    for (int loop = 1; loop < loop_count; ++loop) {
      count *= static_cast<std::uint64_t>(loops[loop].count);
    }
    return count;
  }
};

}  // namespace weft
