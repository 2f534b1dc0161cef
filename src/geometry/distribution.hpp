#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geometry/partition.hpp"
#include "weft/box.hpp"

namespace weft {

/// How a process grid divides one axis.
struct GridAxis {
  Index parts = 1;
  Index rank_stride = 1;  ///< difference in rank between neighboring parts
  Split split = Split::balanced;

  friend bool operator==(const GridAxis& a, const GridAxis& b) {
    return a.parts == b.parts &&
           (a.parts == 1 || (a.rank_stride == b.rank_stride && a.split == b.split));
  }
};

/// One factor of a process grid: a number of parts, and the stride in rank between them. A grid is
/// an assignment of factors to axes, so a factor that moves to another axis keeps its ranks
/// together, and only they have to talk to each other.
struct GridFactor {
  Index parts = 1;
  Index rank_stride = 1;
};

/// Which box of an array each rank owns: by rule (process grid), or listed.
///
/// Invariant: the boxes of ranks 0 ... ranks()-1 tile the shape; those of a process grid with fewer
/// parts than ranks are empty beyond its size.
class Distribution {
 public:
  Distribution() = default;
  /// By rule; the factors' parts times strides must number 0 ... grid size - 1 without gaps.
  static Distribution by_grid(Axes<GridAxis> grid, Index ranks);
  /// Listed; the boxes must tile the shape that they are used with (see check_tiling).
  static Distribution by_boxes(std::vector<Box> boxes);

  Index ranks() const { return ranks_; }
  bool is_grid() const { return boxes_ == nullptr; }
  const Axes<GridAxis>& grid() const { return grid_; }
  /// Ranks that own anything at all by rule.
  Index grid_size() const;

  Box box(const Extents& shape, Index rank) const;
  /// Whether no rank has a part of a line along this axis.
  bool is_whole(const Extents& shape, int axis) const;
  /// Points of the largest box.
  Index largest_count(const Extents& shape) const;
  /// Calls visit(rank, common points) for every rank whose box meets `box`.
  void for_each_overlap(const Extents& shape, const Box& box,
                        const std::function<void(Index, const Box&)>& visit) const;
  /// Adds an axis that is not split, of length `length`.
  Distribution with_whole_axis(Index length) const;

  friend bool same_boxes(const Distribution& a, const Distribution& b, const Extents& shape);
  friend std::string to_string(const Distribution& distribution);

 private:
  Axes<GridAxis> grid_;
  std::shared_ptr<const std::vector<Box>> boxes_;
  Index ranks_ = 1;
};

/// Whether every rank owns the same box in both.
bool same_boxes(const Distribution& a, const Distribution& b, const Extents& shape);

/// Factors p_0 <= p_1 <= ... of `ranks`, `count` of them, as equal as possible; row-major strides.
std::vector<GridFactor> near_equal_factors(Index ranks, int count);
/// Row-major strides for given part counts.
std::vector<GridFactor> row_major_factors(const std::vector<Index>& parts);

/// Throws Error naming boxes and ranks unless the boxes tile [0, shape) exactly.
void check_tiling(const std::vector<Box>& boxes, const Extents& shape);

}  // namespace weft
