#include <algorithm>
#include <optional>

#include "geometry/distribution.hpp"

namespace weft {

namespace {

std::string of_rank(Index rank, const Box& box) {
  return "box " + to_string(box) + " of rank " + std::to_string(rank);
}

/// The first point, in lexicographic order, that none of the boxes covers, looking at axes from
/// `axis` on. The boxes do not overlap, so comparing volumes tells whether a slice is full.
std::optional<Extents> first_uncovered(const std::vector<const Box*>& boxes, const Extents& shape,
                                       int axis) {
  if (axis == shape.size()) return boxes.empty() ? std::optional<Extents>(Extents{}) : std::nullopt;
  std::vector<Index> cuts{0, shape[axis]};
  for (const Box* box : boxes) {
    cuts.push_back(box->lower[axis]);
    cuts.push_back(box->upper[axis]);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    std::vector<const Box*> inside;
    for (const Box* box : boxes) {
      if (box->lower[axis] <= cuts[i] && cuts[i] < box->upper[axis]) inside.push_back(box);
    }
    if (auto rest = first_uncovered(inside, shape, axis + 1)) {
      Extents point{cuts[i]};
      for (Index coordinate : *rest) point.push_back(coordinate);
      return point;
    }
  }
  return std::nullopt;
}

void check_overlaps(const std::vector<Box>& boxes) {
  std::vector<Index> by_lower;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    if (!boxes[rank].empty()) by_lower.push_back(static_cast<Index>(rank));
  }
  std::sort(by_lower.begin(), by_lower.end(),
            [&](Index a, Index b) { return boxes[a].lower[0] < boxes[b].lower[0]; });
  // Sweep along axis 0: only boxes that reach past the current one's lower face can meet it.
  std::vector<Index> active;
  for (Index rank : by_lower) {
    const Box& box = boxes[rank];
    std::erase_if(active, [&](Index other) { return boxes[other].upper[0] <= box.lower[0]; });
    for (Index other : active) {
      const Box common = intersection(boxes[other], box);
      if (!common.empty()) {
        throw Error(
            "boxes overlap: " + of_rank(std::min(rank, other), boxes[std::min(rank, other)]) +
            " and " + of_rank(std::max(rank, other), boxes[std::max(rank, other)]) + " share " +
            to_string(common));
      }
    }
    active.push_back(rank);
  }
}

}  // namespace

void check_tiling(const std::vector<Box>& boxes, const Extents& shape) {
  Index covered = 0;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    const Box& box = boxes[rank];
    const std::string name = of_rank(static_cast<Index>(rank), box);
    if (box.lower.size() != shape.size() || box.upper.size() != shape.size()) {
      throw Error(name + " has not " + std::to_string(shape.size()) + " axes as the array " +
                  to_string(shape));
    }
    for (int axis = 0; axis < shape.size(); ++axis) {
      if (box.lower[axis] > box.upper[axis]) throw Error(name + " has a negative length");
    }
    if (box.empty()) continue;
    if (!contains(whole(shape), box)) {
      throw Error(name + " is not inside the array " + to_string(shape));
    }
  }
  check_overlaps(boxes);
  for (const Box& box : boxes) covered += box.count();
  if (covered == product(shape)) return;
  std::vector<const Box*> present;
  for (const Box& box : boxes) {
    if (!box.empty()) present.push_back(&box);
  }
  std::string point;
  for (Index coordinate : first_uncovered(present, shape, 0).value_or(Extents{})) {
    point += (point.empty() ? "" : ",") + std::to_string(coordinate);
  }
  throw Error("boxes leave a hole: they cover " + std::to_string(covered) + " of " +
              std::to_string(product(shape)) + " points of the array " + to_string(shape) +
              "; the first point of no rank is (" + point + ")");
}

}  // namespace weft
