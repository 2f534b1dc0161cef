#pragma once

#include <omp.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "local/local_transform.hpp"

namespace weft {

/// Loops that lie in memory like one: so many turns, with the strides of the fastest, `inner`.
struct MergedLoop {
  int inner;  ///< number among all loops
  Index length;
};
/// Whether two loops lie like one elsewhere too.
using LieAlike = std::function<bool(int outer, int inner)>;

/// The loops slowest first. Neighboring ones that lie in memory like one, and alike, become one, so
/// that lines side by side are seen as such.
std::vector<MergedLoop> merge_loops(const Axes<LocalAxis>& loops, const LieAlike& alike);
Axes<LocalAxis> merged_loops(
    const Axes<LocalAxis>& loops, const LieAlike& alike = [](int, int) { return true; });

/// Loops cut into blocks of elements that are neighbors in memory; the last block may be smaller.
class Blocks {
 public:
  struct Place {
    Index in, out;  ///< distances from the first element
    bool smaller;
  };

  /// Of no more than `most` elements each, which is 1 at least.
  Blocks(const Axes<LocalAxis>& loops, Index most);

  Index count() const { return count_; }
  bool has_smaller() const { return rest_ != piece_; }
  /// The loops within a block: as many for a smaller one.
  Axes<LocalAxis> inside(bool smaller) const;
  Place place(Index number) const;

 private:
  Axes<LocalAxis> outer_, inner_;
  LocalAxis cut_{1, 0, 0};  ///< the loop between them, in pieces
  Index pieces_ = 1;
  Index piece_ = 1;
  Index rest_ = 1;  ///< length of the last piece
  Index count_ = 1;
};

/// Runs each thread's share of `count` items: run(thread, from, to).
template <class Run>
void share_out(Index count, int most_threads, const Run& run) {
  constexpr Index least_items = 2;  // that are worth starting a thread
  const Index threads = std::min<Index>(most_threads, count / least_items);
  if (threads <= 1) return run(0, Index{0}, count);
#pragma omp parallel num_threads(static_cast <int>(threads))
  {
    const Index share = omp_get_thread_num(), shares = omp_get_num_threads();
    run(static_cast<int>(share), count * share / shares, count * (share + 1) / shares);
  }
}

}  // namespace weft
