#include "device/copy_loops.hpp"

#include <algorithm>

namespace weft {

namespace {

bool slower(const CopyLoop& a, const CopyLoop& b) {
  return a.to != b.to ? a.to > b.to : a.from > b.from;
}

}  // namespace

bool is_empty(const Extents& extents) {
  return std::any_of(extents.begin(), extents.end(), [](Index extent) { return extent <= 0; });
}

Axes<CopyLoop> ordered_loops(const Extents& extents, const Strides& to, const Strides& from) {
  Axes<CopyLoop> loops;
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] <= 1) continue;
    const CopyLoop loop{extents[axis], to[axis], from[axis]};
    loops.push_back(loop);
    int at = loops.size() - 1;
    for (; at > 0 && slower(loop, loops[at - 1]); --at) loops[at] = loops[at - 1];
    loops[at] = loop;
  }
  Axes<CopyLoop> merged;
  for (const CopyLoop& loop : loops) {
    if (!merged.empty()) {
      CopyLoop& outer = merged[merged.size() - 1];
      if (outer.to == loop.to * loop.count && outer.from == loop.from * loop.count) {
        outer = {outer.count * loop.count, loop.to, loop.from};
        continue;
      }
    }
    merged.push_back(loop);
  }
  return merged;
}

}  // namespace weft
