#pragma once

#include <span>

#include "codec/number_bits.hpp"
#include "device/coded_part.hpp"
#include "weft/kernels/divisor.hpp"

namespace weft {

/// Blocks of an encoded message as kernels work on them. Passed to kernels by value.
struct CodeTask {
  static constexpr int max_loops = Extents::capacity;

  /// Lines along an axis, or the blocks of a line; what they are apart by in bytes.
  struct Loop {
    std::int64_t numbers = 0;
    std::int64_t message = 0;
    Divisor count;
  };

  std::byte* numbers = nullptr;  ///< the first one of the part
  std::byte* message = nullptr;  ///< of its line
  std::int64_t stride = 0;       ///< along lines, in bytes
  std::int64_t gap = 0;          ///< in bytes
  std::int64_t gap_at = 0;       ///< as CodedPart has it
  std::int64_t first = 0;        ///< position, as those that follow
  std::int64_t end = 0;
  std::int64_t line_begin = 0;
  std::int64_t line_end = 0;
  std::uint32_t first_block = 0;  ///< number of the part's first block within its line
  std::uint32_t blocks = 0;       ///< of the part
  Loop loop[max_loops];           ///< slowest first, all with more than one step
  int loops = 0;
  int block_loop = -1;  ///< which of them is that over the blocks of a line; -1: there is one
  bool across = false;  ///< blocks that follow one another are closer than numbers of a line
};

/// What the blocks of a message have in common.
struct BlockShape {
  BlockFormat format;
  int element_reals = 1;
  int block_elements = block_reals;

  BlockShape(const BlockFormat& block_format, bool complex)
      : format(block_format),
        element_reals(complex ? 2 : 1),
        block_elements(block_reals / element_reals) {}
  WEFT_HOST_DEVICE int bytes(int elements) const { return format.bytes(elements * element_reals); }
};

/// A block, and which of its elements are in the part.
struct BlockPlace {
  std::byte* numbers = nullptr;  ///< of the block's first element
  std::byte* message = nullptr;
  std::uint8_t elements = 0;
  std::uint8_t begin = 0;   ///< first element in the part
  std::uint8_t end = 0;     ///< behind the last one
  std::uint8_t gap_at = 0;  ///< elements from this one on lie the gap further
  std::uint32_t padding = 0;
};

WEFT_HOST_DEVICE inline BlockPlace locate(const CodeTask& task, const BlockShape& shape,
                                          std::uint32_t number) {
  std::int64_t numbers = 0, message = 0;
  std::uint32_t block = task.first_block;
  for (int i = task.loops - 1; i >= 0; --i) {
    const std::uint32_t at = i > 0 ? take(number, task.loop[i].count) : number;
    if (i == task.block_loop) block += at;
    numbers += at * task.loop[i].numbers;
    message += at * task.loop[i].message;
  }
  const int whole = shape.block_elements;
  const std::int64_t grid = std::int64_t{block} * whole;
  const std::int64_t begin = grid < task.line_begin ? task.line_begin : grid;
  const std::int64_t end = grid + whole < task.line_end ? grid + whole : task.line_end;
  // Only the first block of a line may be cut at its beginning.
  if (block > 0) {
    message += shape.bytes(whole - static_cast<int>(task.line_begin)) +
               std::int64_t{block - 1} * shape.bytes(whole);
  }
  const std::int64_t from_first = begin - task.first;
  const bool behind_gap = from_first >= task.gap_at;
  numbers += from_first * task.stride + (behind_gap ? task.gap : 0);
  const std::int64_t to_gap = task.gap_at - from_first;
  BlockPlace place;
  place.numbers = task.numbers + numbers;
  place.message = task.message + message;
  place.elements = static_cast<std::uint8_t>(end - begin);
  place.begin = static_cast<std::uint8_t>(from_first < 0 ? -from_first : 0);
  place.end = static_cast<std::uint8_t>((task.end < end ? task.end : end) - begin);
  place.gap_at = static_cast<std::uint8_t>(behind_gap || to_gap > whole ? whole : to_gap);
  return place;
}

/// Address of an element of a block.
WEFT_INLINE std::byte* element_at(const CodeTask& task, const BlockPlace& place, int element) {
  return place.numbers + element * task.stride + (element >= place.gap_at ? task.gap : 0);
}

/// Takes the tasks of parts.
class CodeSink {
 public:
  virtual ~CodeSink() = default;
  virtual void add(const CodeTask& task) = 0;
};

/// Puts the tasks for a part into the sink: none if it is empty, several if it is huge. Blocks that
/// are neighbors in memory of the numbers follow one another.
void make_tasks(const CodedPart& part, const BlockShape& shape, Index element_bytes,
                CodeSink& sink);

}  // namespace weft
