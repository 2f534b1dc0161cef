#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.hpp"
#include "weft/kernels/divisor.hpp"

namespace weft {

/// A block as kernels move it: in words of 4, 8 or 16 bytes, divided into parts of `a` by `b` words
/// along its two fastest axes. It is passed to kernels by value, so that a launch needs no memory
/// of the device and can be captured in a graph.
struct MoveTask {
  static constexpr int max_loops = 7;

  /// One of the two fastest axes; distances in words.
  struct Side {
    std::int64_t to = 0;
    std::int64_t from = 0;
    std::uint32_t count = 1;
    std::uint32_t part_log2 = 0;  ///< words along it in a part
    Divisor parts;
  };

  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  Side a;  ///< fastest in the target
  Side b;  ///< fastest in the source, if that is another one
  /// The loops around, slowest first.
  std::int64_t loop_to[max_loops] = {};
  std::int64_t loop_from[max_loops] = {};
  Divisor loop[max_loops];
  std::uint32_t loops = 0;
  std::uint32_t parts = 0;  ///< of the whole block; parts of `a` are the fastest, loops the slowest
};

/// Kernels for tasks: those that copy rows, fastest along the same axis on both sides, and those
/// that transpose.
enum class TaskKind { rows, tiles };

/// Words in a part of a long row: each lane of a warp of 32 takes 4. Parts of short rows are single
/// words.
inline constexpr std::uint32_t row_part_log2 = 7;
/// Bytes of a tile of a transposition; it consists of one or more whole parts ...
inline constexpr std::uint32_t tile_bytes_log2 = 14;
/// ... of which each side has at least these many words.
inline constexpr std::uint32_t least_side_log2 = 2;

/// Takes the tasks of moves.
class TaskSink {
 public:
  virtual ~TaskSink() = default;
  virtual void add(const MoveTask& task, TaskKind kind, std::uint32_t word_bytes) = 0;
};

/// Puts the tasks for a block into the sink: none if it is empty, several if it is huge.
void make_tasks(const BlockMove& block, CopyElement element, TaskSink& sink);

}  // namespace weft
