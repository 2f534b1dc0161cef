#include "schedule/cut.hpp"

#include <algorithm>
#include <utility>

namespace weft {

Box Cut::part(const Box& box, Index number) const {
  if (count == 1 || number == Chunk::whole || box.empty()) return box;
  const Index lower = box.lower[axis], extent = box.extent(axis);
  const auto begin_of = [&](Index part) {
    const Index at = lower + extent / count * part + std::min(part, extent % count);
    const Index rounded = (at + alignment / 2) / alignment * alignment;
    return part == 0       ? lower
           : part == count ? lower + extent
                           : std::clamp(rounded, lower, lower + extent);
  };
  Box result = box;
  result.lower[axis] = begin_of(number);
  result.upper[axis] = begin_of(number + 1);
  return result.empty() ? empty_box(box.axes()) : result;
}

Chunking Chunking::reversed() const {
  Chunking result = *this;
  std::swap(result.sender, result.receiver);
  result.order = order == ChunkOrder::by_sender ? ChunkOrder::by_receiver : ChunkOrder::by_sender;
  return result;
}

std::vector<Chunk> Chunking::chunks(const Distribution& before, const Distribution& after,
                                    const Extents& shape) const {
  std::vector<Chunk> result;
  if (is_cut() && sender == receiver && leaves_alone(before, after, shape, sender.axis)) {
    // Both sides have the same parts, so chunks of different ones are empty.
    for (Index part = 0; part < sender.count; ++part) result.push_back({part, part});
    return result;
  }
  if (order == ChunkOrder::by_sender) {
    const Index last = sender.count - 1;
    for (Index part = 0; part < last; ++part) result.push_back({part, Chunk::whole});
    for (Index part = 0; part < receiver.count; ++part) result.push_back({last, part});
  } else {
    for (Index part = 0; part < sender.count; ++part) result.push_back({part, 0});
    for (Index part = 1; part < receiver.count; ++part) result.push_back({Chunk::whole, part});
  }
  return result;
}

bool leaves_alone(const Distribution& before, const Distribution& after, const Extents& shape,
                  int axis) {
  if (before.is_grid() && after.is_grid() && before.grid_size() == before.ranks() &&
      after.grid_size() == after.ranks() && before.grid()[axis] == after.grid()[axis]) {
    return true;
  }
  return before.is_whole(shape, axis) && after.is_whole(shape, axis);
}

}  // namespace weft
