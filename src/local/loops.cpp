#include "local/loops.hpp"

namespace weft {

std::vector<MergedLoop> merge_loops(const Axes<LocalAxis>& loops, const LieAlike& alike) {
  std::vector<MergedLoop> sorted, merged;
  for (int i = 0; i < loops.size(); ++i) {
    if (loops[i].length != 1) sorted.push_back({i, loops[i].length});
  }
  const auto distance = [&](const MergedLoop& loop) {
    return loops[loop.inner].in_stride + loops[loop.inner].out_stride;
  };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const MergedLoop& a, const MergedLoop& b) {
    return distance(a) > distance(b);
  });
  for (const MergedLoop& loop : sorted) {
    if (!merged.empty()) {
      MergedLoop& outer = merged.back();
      const LocalAxis &slow = loops[outer.inner], &fast = loops[loop.inner];
      if (slow.in_stride == fast.length * fast.in_stride &&
          slow.out_stride == fast.length * fast.out_stride && alike(outer.inner, loop.inner)) {
        outer = {loop.inner, outer.length * loop.length};
        continue;
      }
    }
    merged.push_back(loop);
  }
  return merged;
}

Axes<LocalAxis> merged_loops(const Axes<LocalAxis>& loops, const LieAlike& alike) {
  Axes<LocalAxis> result;
  for (const MergedLoop& loop : merge_loops(loops, alike)) {
    const LocalAxis& inner = loops[loop.inner];
    result.push_back({loop.length, inner.in_stride, inner.out_stride});
  }
  return result;
}

Blocks::Blocks(const Axes<LocalAxis>& loops, Index most) {
  const Axes<LocalAxis> merged = merged_loops(loops);
  int whole = merged.size();
  for (; whole > 0 && merged[whole - 1].length <= most; --whole) most /= merged[whole - 1].length;
  for (int i = whole; i < merged.size(); ++i) inner_.push_back(merged[i]);
  if (whole == 0) return;
  cut_ = merged[whole - 1];
  for (int i = 0; i < whole - 1; ++i) outer_.push_back(merged[i]);
  // Pieces alike, but for whole vectors.
  constexpr Index unit = 8;
  pieces_ = (cut_.length + most - 1) / most;
  piece_ = (cut_.length + pieces_ - 1) / pieces_;
  if (piece_ > unit) piece_ = std::min((piece_ + unit - 1) / unit * unit, most);
  pieces_ = (cut_.length + piece_ - 1) / piece_;
  rest_ = cut_.length - (pieces_ - 1) * piece_;
  count_ = pieces_;
  for (const LocalAxis& loop : outer_) count_ *= loop.length;
}

Axes<LocalAxis> Blocks::inside(bool smaller) const {
  Axes<LocalAxis> loops;
  if (piece_ > 1) {
    loops.push_back({smaller ? rest_ : piece_, cut_.in_stride, cut_.out_stride});
  }
  for (const LocalAxis& loop : inner_) loops.push_back(loop);
  return loops;
}

Blocks::Place Blocks::place(Index number) const {
  const Index piece = number % pieces_;
  number /= pieces_;
  Place place{piece * piece_ * cut_.in_stride, piece * piece_ * cut_.out_stride,
              has_smaller() && piece == pieces_ - 1};
  for (int i = outer_.size() - 1; i >= 0; --i) {
    const Index at = number % outer_[i].length;
    number /= outer_[i].length;
    place.in += at * outer_[i].in_stride;
    place.out += at * outer_[i].out_stride;
  }
  return place;
}

}  // namespace weft
