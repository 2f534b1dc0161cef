#pragma once

#include <algorithm>
#include <vector>

#include "device/device.hpp"
#include "pass/array_view.hpp"

namespace weft {

/// A list of what moves between views and blocks of numbers, encoded and decoded where messages
/// are, done all together.
class CopyList {
 public:
  /// Numbers in memory of a device, of which those from `gap_at` on along one axis lie `gap`
  /// elements further.
  struct GappedBlock {
    MutableBlock block;
    int axis = -1;  ///< -1: there is no gap
    Index gap_at = 0;
    Index gap = 0;
  };

  /// Makes room for so many.
  void reserve(std::size_t count);
  /// A new list, of what moves in a run with these addresses.
  void begin(CopyElement element, const AddressTable& addresses);

  enum class Way { from_view, to_view };
  /// Lists the numbers of a part of a view, which begin at the block. For an encoded view the
  /// order is that of its elements.
  void move(Way way, const ArrayView& view, const Box& part, const GappedBlock& numbers,
            const AxisList& order);
  /// Between two views of which not both are encoded.
  void copy(const ArrayView& from, const ArrayView& to, const Box& part, const AxisList& from_order,
            const AxisList& to_order);

  /// Submits them to the stream. What is written is multiplied by `scale` before.
  void run(Stream& stream, double scale) const;

 private:
  struct Coding {
    BlockFormat format;
    EncodingSums* sums;  ///< null: it is decoded
  };

  CopyElement element_;
  const AddressTable* addresses_ = nullptr;
  std::vector<BlockMove> moves_;
  std::vector<CodedPart> parts_;
  std::vector<Coding> codings_;  // of each part
};

/// Calls work(box, block) for a part of a view that begins at a block: in two where the gap parts
/// it.
template <class Work>
void for_each_block(const Box& part, const CopyList::GappedBlock& numbers, CopyElement element,
                    const Work& work) {
  Box boxes[2] = {part, part};
  const bool has_gap = numbers.axis >= 0;
  if (has_gap) {
    const Index middle = part.lower[numbers.axis] + numbers.gap_at;
    boxes[0].upper[numbers.axis] = std::min(part.upper[numbers.axis], middle);
    boxes[1].lower[numbers.axis] = std::max(part.lower[numbers.axis], middle);
  }
  for (int i = 0; i < (has_gap ? 2 : 1); ++i) {
    const Box& box = boxes[i];
    if (box.empty()) continue;
    const Strides& stride = numbers.block.stride;
    const Index gap = i == 1 ? numbers.gap * stride[numbers.axis] : 0;
    const Index elements = position_in(part, stride, box.lower) + gap;
    work(box, MutableBlock{numbers.block.data + elements * bytes_of(element), stride});
  }
}

}  // namespace weft
