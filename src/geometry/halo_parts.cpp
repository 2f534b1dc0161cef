#include "geometry/halo_parts.hpp"

#include <algorithm>

#include "geometry/cursor.hpp"

namespace weft {

namespace {

/// A part, with the distance from where its points are owned to where they are in the halo.
struct ShiftedPart {
  HaloPart part;
  Extents shift;
};

/// Both ranks sort what they share by the same key.
bool before(const ShiftedPart& a, const ShiftedPart& b) {
  if (a.part.peer != b.part.peer) return a.part.peer < b.part.peer;
  return std::lexicographical_compare(a.shift.begin(), a.shift.end(), b.shift.begin(),
                                      b.shift.end());
}

std::vector<HaloPart> in_order(std::vector<ShiftedPart> shifted) {
  std::sort(shifted.begin(), shifted.end(), before);
  std::vector<HaloPart> parts;
  for (const ShiftedPart& each : shifted) parts.push_back(each.part);
  return parts;
}

Index rounded_down(Index value, Index divisor) {
  return (value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)) * divisor;
}

Box moved(Box box, const Extents& shift) {
  for (int axis = 0; axis < box.axes(); ++axis) {
    box.lower[axis] += shift[axis];
    box.upper[axis] += shift[axis];
  }
  return box;
}

Extents opposite(Extents shift) {
  for (Index& distance : shift) distance = -distance;
  return shift;
}

/// Calls visit(shift) for every copy of the array, repeated along all axes, that meets the box.
template <class Visit>
void for_each_copy(const Box& box, const Extents& shape, Visit&& visit) {
  Extents first;
  Axes<Cursor<0>::Loop> copies;
  for (int axis = 0; axis < box.axes(); ++axis) {
    first.push_back(rounded_down(box.lower[axis], shape[axis]));
    const Index reach = box.upper[axis] - first[axis];
    copies.push_back({std::max<Index>((reach + shape[axis] - 1) / shape[axis], 1), {}});
  }
  for (Cursor<0> copy(copies); !copy.is_end(); copy.advance()) {
    Extents shift = first;
    for (int axis = 0; axis < box.axes(); ++axis) shift[axis] += copy.at()[axis] * shape[axis];
    visit(shift);
  }
}

}  // namespace

Box with_halo(const Box& box, const Extents& shape, const HaloWidths& widths) {
  Box result = box;
  for (int axis = 0; axis < box.axes(); ++axis) {
    Index lower = widths.lower[axis], upper = widths.upper[axis];
    if (!widths.periodic[axis]) {
      lower = std::min(lower, box.lower[axis]);
      upper = std::min(upper, shape[axis] - box.upper[axis]);
    }
    result.lower[axis] -= lower;
    result.upper[axis] += upper;
  }
  return result;
}

HaloParts halo_parts(const Distribution& distribution, const Extents& shape,
                     const HaloWidths& widths, Index rank) {
  const Box own = distribution.box(shape, rank);
  if (own.empty()) return {};
  const Extents nowhere = Extents::filled(shape.size(), 0);
  const auto for_each_meeting = [&](const Box& box, const auto& visit) {
    for_each_copy(box, shape, [&](const Extents& shift) {
      const Box inside = intersection(moved(box, opposite(shift)), whole(shape));
      distribution.for_each_overlap(shape, inside, [&](Index peer, const Box& common) {
        if (peer != rank || !(shift == nowhere)) visit(peer, common, shift);
      });
    });
  };
  std::vector<ShiftedPart> halo, owned;
  for_each_meeting(with_halo(own, shape, widths),
                   [&](Index peer, const Box& common, const Extents& shift) {
                     halo.push_back({{peer, moved(common, shift)}, shift});
                   });
  // A box whose halo has points of mine is one that I meet with the widths of both sides swapped.
  const HaloWidths reversed{widths.upper, widths.lower, widths.periodic};
  for_each_meeting(with_halo(own, shape, reversed),
                   [&](Index peer, const Box&, const Extents& back) {
                     const Extents shift = opposite(back);
                     const Box theirs = with_halo(distribution.box(shape, peer), shape, widths);
                     const Box common = intersection(moved(own, shift), theirs);
                     owned.push_back({{peer, moved(common, back)}, shift});
                   });
  return {in_order(std::move(owned)), in_order(std::move(halo))};
}

}  // namespace weft
