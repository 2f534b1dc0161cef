#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <vector>

// Boxes, and how a world is cut into them. Dimension 0 is the fastest in memory by default.
namespace heffte {

/// The indices from `low` to `high`, both included, in three dimensions. Empty where `high` is
/// below `low`.
template <typename index = int>
struct box3d {
  /// With dimension 0 the fastest in memory.
  box3d(std::array<index, 3> first, std::array<index, 3> last)
      : box3d(first, last, std::array<int, 3>{{0, 1, 2}}) {}
  /// With another order in memory.
  box3d(std::array<index, 3> first, std::array<index, 3> last, std::array<int, 3> memory)
      : low(first),
        high(last),
        size{{last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1}},
        order(memory) {}
  /// In two dimensions: the third has one index, 0.
  box3d(std::array<index, 2> first, std::array<index, 2> last)
      : box3d(first, last, std::array<int, 2>{{0, 1}}) {}
  /// In two dimensions, with another order in memory.
  box3d(std::array<index, 2> first, std::array<index, 2> last, std::array<int, 2> memory)
      : box3d(std::array<index, 3>{{first[0], first[1], 0}},
              std::array<index, 3>{{last[0], last[1], 0}},
              std::array<int, 3>{{memory[0], memory[1], 2}}) {}

  /// Whether there is no index.
  bool empty() const { return size[0] <= 0 || size[1] <= 0 || size[2] <= 0; }
  /// The number of indices.
  long long count() const {
    return empty() ? 0 : static_cast<long long>(size[0]) * size[1] * size[2];
  }
  /// Common indices of both, in the order of this one.
  box3d collide(box3d const& other) const {
    if (empty() || other.empty()) return none();
    return box3d({{std::max(low[0], other.low[0]), std::max(low[1], other.low[1]),
                   std::max(low[2], other.low[2])}},
                 {{std::min(high[0], other.high[0]), std::min(high[1], other.high[1]),
                   std::min(high[2], other.high[2])}},
                 order);
  }
  /// The box of coefficients that real data in this one have when `dimension` is halved: n/2 + 1
  /// of n.
  box3d r2c(int dimension) const {
    if (empty()) return none();
    std::array<index, 3> last = high;
    last[dimension] = low[dimension] + size[dimension] / 2;
    return box3d(low, last, order);
  }
  /// Whether a dimension has one index.
  bool is2d() const { return size[0] == 1 || size[1] == 1 || size[2] == 1; }
  /// Whether both have the same indices, in whatever order.
  bool operator==(box3d const& other) const { return low == other.low && high == other.high; }
  /// Whether they do not.
  bool operator!=(box3d const& other) const { return !(*this == other); }
  /// Whether the order is the same, of whatever indices.
  bool ordered_same_as(box3d const& other) const { return order == other.order; }
  /// The place of a dimension in the order: 0 is the fastest.
  int find_order(int dimension) const {
    return dimension == order[0] ? 0 : dimension == order[1] ? 1 : 2;
  }
  /// The length of the dimension at a place of the order.
  index osize(int place) const { return size[order[place]]; }

  std::array<index, 3> low;   ///< the first index of each dimension
  std::array<index, 3> high;  ///< the last one
  std::array<index, 3> size;  ///< their numbers
  std::array<int, 3> order;   ///< dimensions from the fastest to the slowest in memory

 private:
  static box3d none() { return box3d({{0, 0, 0}}, {{-1, -1, -1}}); }
};
/// A box of two dimensions.
template <typename index = int>
using box2d = box3d<index>;

/// Writes the first index, the last and the number of each dimension, and the order.
template <typename index>
std::ostream& operator<<(std::ostream& out, box3d<index> const& box) {
  for (int d = 0; d < 3; ++d) {
    out << box.low[d] << "  " << box.high[d] << "  (" << box.size[d] << ")\n";
  }
  return out << "(" << box.order[0] << "," << box.order[1] << "," << box.order[2] << ")\n\n";
}

/// The smallest box around all of at least one.
template <typename index>
box3d<index> find_world(std::vector<box3d<index>> const& boxes) {
  std::array<index, 3> low = boxes.at(0).low, high = boxes[0].high;
  for (box3d<index> const& box : boxes) {
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], box.low[d]);
      high[d] = std::max(high[d], box.high[d]);
    }
  }
  return {low, high};
}
/// Whether both lists have the same boxes, whatever their orders.
template <typename index>
bool match(std::vector<box3d<index>> const& a, std::vector<box3d<index>> const& b) {
  return a == b;
}
/// Returns true where boxes without overlap fill a world that begins at 0; otherwise throws
/// std::invalid_argument.
template <typename index>
bool world_complete(std::vector<box3d<index>> const& boxes, box3d<index> const& world) {
  if (world.low != std::array<index, 3>{{0, 0, 0}}) {
    throw std::invalid_argument("indices of the world must begin at 0");
  }
  long long points = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    points += boxes[i].count();
    for (std::size_t j = 0; j < i; ++j) {
      if (!boxes[i].collide(boxes[j]).empty()) throw std::invalid_argument("boxes overlap");
    }
  }
  if (points < world.count()) throw std::invalid_argument("boxes do not fill the world");
  return true;
}

/// All pairs of factors of n.
inline std::vector<std::array<int, 2>> get_factors(int const n) {
  std::vector<std::array<int, 2>> factors;
  for (int i = 1; i <= n; ++i) {
    if (n % i == 0) factors.push_back({{i, n / i}});
  }
  return factors;
}
/// What make_procgrid makes small.
inline int get_area(std::array<int, 2> const& grid) {
  return grid[0] * grid[1] + grid[0] + grid[1];
}
/// The pair of factors nearest to each other, the smaller one first.
inline std::array<int, 2> make_procgrid(int const ranks) {
  std::vector<std::array<int, 2>> const factors = get_factors(ranks);
  return *std::min_element(factors.begin(), factors.end(),
                           [](std::array<int, 2> const& a, std::array<int, 2> const& b) {
                             return get_area(a) < get_area(b);
                           });
}

/// Cuts a world into as many boxes as the grid has places, dimension 0 of the grid counted first.
/// Parts of a dimension differ by at most one index, longer ones first.
template <typename index>
std::vector<box3d<index>> split_world(box3d<index> const& world, std::array<int, 3> const& grid) {
  std::vector<box3d<index>> boxes;
  boxes.reserve(static_cast<std::size_t>(grid[0]) * grid[1] * grid[2]);
  const auto begin = [&](int d, index part) {
    return world.low[d] + part * (world.size[d] / grid[d]) +
           std::min<index>(part, world.size[d] % grid[d]);
  };
  for (index k = 0; k < grid[2]; ++k) {
    for (index j = 0; j < grid[1]; ++j) {
      for (index i = 0; i < grid[0]; ++i) {
        boxes.push_back({{{begin(0, i), begin(1, j), begin(2, k)}},
                         {{begin(0, i + 1) - 1, begin(1, j + 1) - 1, begin(2, k + 1) - 1}},
                         world.order});
      }
    }
  }
  return boxes;
}
/// Whether every box has all of a dimension.
template <typename index>
bool is_pencils(box3d<index> const& world, std::vector<box3d<index>> const& boxes, int dimension) {
  return std::all_of(boxes.begin(), boxes.end(), [&](box3d<index> const& box) {
    return box.size[dimension] == world.size[dimension];
  });
}
/// Whether every box has all of two dimensions.
template <typename index>
bool is_slab(box3d<index> const& world, std::vector<box3d<index>> const& boxes, int first,
             int second) {
  return is_pencils(world, boxes, first) && is_pencils(world, boxes, second);
}
/// The same boxes with another order in memory.
template <typename index>
std::vector<box3d<index>> reorder(std::vector<box3d<index>> const& boxes,
                                  std::array<int, 3> order) {
  std::vector<box3d<index>> result;
  for (box3d<index> const& box : boxes) result.push_back({box.low, box.high, order});
  return result;
}

/// The grid of so many ranks whose boxes have the least surface; the first one, of those, by its
/// length in dimension 0, then 1. {1, 1, 1} where there are more ranks than any grid can have.
template <typename index>
std::array<int, 3> proc_setup_min_surface(box3d<index> const& world, int ranks) {
  std::array<int, 3> best = {{1, 1, 1}};
  long long least = std::numeric_limits<long long>::max();
  for (std::array<int, 2> const& outer : get_factors(ranks)) {
    for (std::array<int, 2> const& inner : get_factors(outer[1])) {
      std::array<int, 3> const grid = {{outer[0], inner[0], inner[1]}};
      long long length[3];
      for (int d = 0; d < 3; ++d) length[d] = world.size[d] / grid[d];
      if (length[0] == 0 || length[1] == 0 || length[2] == 0) continue;
      long long const surface =
          length[0] * length[1] + length[1] * length[2] + length[2] * length[0];
      if (surface < least) {
        least = surface;
        best = grid;
      }
    }
  }
  return best;
}

}  // namespace heffte
