#include "geometry/distribution.hpp"

#include <algorithm>

#include "geometry/cursor.hpp"

namespace weft {

Distribution Distribution::by_grid(Axes<GridAxis> grid, Index ranks) {
  Distribution result;
  result.grid_ = grid;
  result.ranks_ = ranks;
  return result;
}

Distribution Distribution::by_boxes(std::vector<Box> boxes) {
  Distribution result;
  result.ranks_ = static_cast<Index>(boxes.size());
  result.boxes_ = std::make_shared<const std::vector<Box>>(std::move(boxes));
  return result;
}

Index Distribution::grid_size() const {
  Index size = 1;
  for (const GridAxis& axis : grid_) size *= axis.parts;
  return size;
}

Box Distribution::box(const Extents& shape, Index rank) const {
  if (!is_grid()) return (*boxes_)[rank];
  if (rank >= grid_size()) return empty_box(shape.size());
  Box result = whole(shape);
  for (int axis = 0; axis < shape.size(); ++axis) {
    const GridAxis& split = grid_[axis];
    const Index part = (rank / split.rank_stride) % split.parts;
    const Interval interval = part_interval(shape[axis], split.parts, split.split, part);
    result.lower[axis] = interval.lower;
    result.upper[axis] = interval.upper;
  }
  return result.empty() ? empty_box(shape.size()) : result;
}

bool Distribution::is_whole(const Extents& shape, int axis) const {
  if (is_grid()) return grid_[axis].parts == 1 || shape[axis] == 1;
  return std::all_of(boxes_->begin(), boxes_->end(), [&](const Box& box) {
    return box.empty() || box.extent(axis) == shape[axis];
  });
}

Index Distribution::largest_count(const Extents& shape) const {
  if (is_grid()) return box(shape, 0).count();  // both splits give the first part the most points
  Index largest = 0;
  for (const Box& box : *boxes_) largest = std::max(largest, box.count());
  return largest;
}

void Distribution::for_each_overlap(const Extents& shape, const Box& box,
                                    const std::function<void(Index, const Box&)>& visit) const {
  if (box.empty()) return;
  if (!is_grid()) {
    for (Index rank = 0; rank < ranks_; ++rank) {
      const Box common = intersection(box, (*boxes_)[rank]);
      if (!common.empty()) visit(rank, common);
    }
    return;
  }
  const int axes = shape.size();
  Index first_rank = 0;
  Axes<Cursor<1>::Loop> parts;
  for (int axis = 0; axis < axes; ++axis) {
    const GridAxis& split = grid_[axis];
    const Index first = part_of(shape[axis], split.parts, split.split, box.lower[axis]);
    const Index last = part_of(shape[axis], split.parts, split.split, box.upper[axis] - 1);
    first_rank += first * split.rank_stride;
    parts.push_back({last - first + 1, {split.rank_stride}});
  }
  for (Cursor<1> part(parts); !part.is_end(); part.advance()) {
    const Index rank = first_rank + part[0];
    const Box common = intersection(box, this->box(shape, rank));
    if (!common.empty()) visit(rank, common);
  }
}

Distribution Distribution::with_whole_axis(Index length) const {
  Distribution result = *this;
  if (is_grid()) {
    result.grid_.push_back(GridAxis{});
    return result;
  }
  std::vector<Box> extended = *boxes_;
  for (Box& box : extended) {
    const bool empty = box.empty();
    box.lower.push_back(0);
    box.upper.push_back(length);
    if (empty) box = empty_box(box.axes());
  }
  return by_boxes(std::move(extended));
}

bool same_boxes(const Distribution& a, const Distribution& b, const Extents& shape) {
  // Different rules may still give equal boxes, as on an axis of length 1; that is rare enough to
  // be moved for nothing rather than compared rank by rank.
  if (a.is_grid() && b.is_grid()) return a.grid_ == b.grid_;
  for (Index rank = 0; rank < a.ranks_; ++rank) {
    const Box left = a.box(shape, rank);
    const Box right = b.box(shape, rank);
    if (left.empty() && right.empty()) continue;
    if (!(left == right)) return false;
  }
  return true;
}

std::string to_string(const Distribution& distribution) {
  if (!distribution.is_grid()) return "listed boxes";
  Extents parts;
  for (const GridAxis& axis : distribution.grid()) parts.push_back(axis.parts);
  return "grid " + to_string(parts);
}

std::vector<GridFactor> row_major_factors(const std::vector<Index>& parts) {
  std::vector<GridFactor> factors(parts.size());
  Index stride = 1;
  for (std::size_t i = parts.size(); i-- > 0;) {
    factors[i] = {parts[i], stride};
    stride *= parts[i];
  }
  return factors;
}

std::vector<GridFactor> near_equal_factors(Index ranks, int count) {
  std::vector<Index> parts;
  Index rest = ranks;
  for (int left = count; left > 1; --left) {
    // The largest divisor whose `left`-th power does not exceed what is left to divide.
    Index best = 1;
    for (Index divisor = 1; divisor <= rest / divisor || divisor == 1; ++divisor) {
      Index power = 1;
      for (int i = 0; i < left && power <= rest; ++i) power *= divisor;
      if (power > rest) break;
      if (rest % divisor == 0) best = divisor;
    }
    parts.push_back(best);
    rest /= best;
  }
  parts.push_back(rest);
  std::sort(parts.begin(), parts.end());
  return row_major_factors(parts);
}

}  // namespace weft
