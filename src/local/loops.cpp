#include "local/loops.hpp"

namespace weft {

Axes<LocalAxis> merged_loops(Axes<LocalAxis> loops) {
  std::stable_sort(loops.begin(), loops.end(), [](const LocalAxis& a, const LocalAxis& b) {
    return a.in_stride + a.out_stride > b.in_stride + b.out_stride;
  });
  Axes<LocalAxis> result;
  for (const LocalAxis& loop : loops) {
    if (loop.length == 1) continue;
    if (!result.empty()) {
      LocalAxis& outer = result[result.size() - 1];
      if (outer.in_stride == loop.length * loop.in_stride &&
          outer.out_stride == loop.length * loop.out_stride) {
        outer = {outer.length * loop.length, loop.in_stride, loop.out_stride};
        continue;
      }
    }
    result.push_back(loop);
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
