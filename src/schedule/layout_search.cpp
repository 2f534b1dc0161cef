#include "schedule/layout_search.hpp"

#include <algorithm>
#include <limits>
#include <queue>

#include "schedule/axis_groups.hpp"

namespace weft {

namespace {

class Search {
 public:
  Search(const ResolvedProblem& problem, const Options& options, const Machine& machine)
      : problem_(problem),
        machine_(machine),
        caches_(caches_of_groups(options, machine)),
        axes_(problem.shape.size()),
        halved_(halved_axis(problem.kinds)) {
    for (int axis = 0; axis < axes_; ++axis) {
      const KindTraits& kind = traits(problem.kinds[axis]);
      if (kind.transforms) goal_ |= AxisMask{1} << axis;
      if (kind.keeps_real) keep_real_ |= AxisMask{1} << axis;
    }
    add_candidate(problem.input.distribution, problem.shape);
    add_candidate(problem.output.distribution, problem.spectral);
    add_intermediate_candidates(options);
  }

  std::vector<PathStep> shortest_path() {
    const std::size_t states = candidates_.size() << axes_;
    std::vector<double> cost(states, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> previous(states, states);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const std::size_t start = state(transform(0, 0), 0);
    const std::size_t end = state(goal_, 1);
    cost[start] = 0;
    open.emplace(0, start);
    while (!open.empty()) {
      const auto [so_far, from] = open.top();
      open.pop();
      if (so_far > cost[from]) continue;
      if (from == end) break;
      const AxisMask done = mask_of(from);
      for (std::size_t next = 0; next < candidates_.size(); ++next) {
        if (next == candidate_of(from)) continue;
        const AxisMask after = transform(done, next);
        if (after == done && next != 1) continue;  // neither progress nor the goal
        const double edge = edge_seconds(done, candidate_of(from), next);
        const std::size_t to = state(after, next);
        if (so_far + edge < cost[to]) {
          cost[to] = so_far + edge;
          previous[to] = from;
          open.emplace(cost[to], to);
        }
      }
    }
    if (previous[end] == states) {
      throw Error("no schedule leads from the input to the output layout");
    }
    std::vector<PathStep> path;
    for (std::size_t at = end; at != states; at = previous[at]) {
      const AxisMask arrival = previous[at] == states ? 0 : mask_of(previous[at]);
      const auto distribution = at_shape(candidate_of(at), problem_.shape_after(arrival));
      path.push_back({*distribution, arrival, mask_of(at)});
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  /// A distribution that the array may take, and the shape its listed boxes are meant for.
  struct Candidate {
    Distribution distribution;
    Extents shape;
  };

  std::optional<Distribution> at_shape(std::size_t candidate, const Extents& shape) const {
    const Candidate& at = candidates_[candidate];
    return weft::at_shape(at.distribution, at.shape, shape);
  }
  std::size_t state(AxisMask done, std::size_t candidate) const {
    return candidate << axes_ | done;
  }
  AxisMask mask_of(std::size_t state) const {
    return static_cast<AxisMask>(state & ((1u << axes_) - 1));
  }
  std::size_t candidate_of(std::size_t state) const { return state >> axes_; }

  void add_candidate(const Distribution& distribution, const Extents& shape) {
    candidates_.push_back({distribution, shape});
    AxisMask whole = 0;
    for (int axis = 0; axis < axes_; ++axis) {
      // Lines of a grid's layout are whole before and after they are transformed, or neither.
      const bool both = !distribution.is_grid() || (distribution.is_whole(problem_.shape, axis) &&
                                                    distribution.is_whole(problem_.spectral, axis));
      if (both && distribution.is_whole(shape, axis)) whole |= AxisMask{1} << axis;
    }
    whole_.push_back(whole);
  }

  void add_grid(const Axes<GridAxis>& grid) {
    for (std::size_t i = 2; i < candidates_.size(); ++i) {
      if (candidates_[i].distribution.grid() == grid) return;
    }
    add_candidate(Distribution::by_grid(grid, problem_.ranks), problem_.shape);
  }

  /// All ways to give each factor an axis of its own.
  void add_assignments(const std::vector<GridFactor>& factors) {
    std::vector<GridFactor> split;
    for (const GridFactor& factor : factors) {
      if (factor.parts > 1) split.push_back(factor);
    }
    if (static_cast<int>(split.size()) > axes_) return;
    auto grid = Axes<GridAxis>::filled(axes_, GridAxis{});
    assign_from(split, 0, grid);
  }

  void assign_from(const std::vector<GridFactor>& factors, std::size_t first,
                   Axes<GridAxis>& grid) {
    if (first == factors.size()) {
      add_grid(grid);
      return;
    }
    for (int axis = 0; axis < axes_; ++axis) {
      if (grid[axis].parts > 1) continue;
      grid[axis] = {factors[first].parts, factors[first].rank_stride, Split::balanced};
      assign_from(factors, first + 1, grid);
      grid[axis] = GridAxis{};
    }
  }

  void add_intermediate_candidates(const Options& options) {
    const Index ranks = problem_.ranks;
    std::vector<std::vector<GridFactor>> pencils;
    if (!options.grid.empty()) {
      pencils.push_back(row_major_factors({options.grid.begin(), options.grid.end()}));
    } else {
      // The factors of the outer layouts come first: with them whole groups of ranks stay apart.
      for (const Layout* layout : {&problem_.input, &problem_.output}) {
        if (!layout->distribution.is_grid()) continue;
        if (layout->distribution.grid_size() != ranks) continue;
        std::vector<GridFactor> factors;
        for (const GridAxis& axis : layout->distribution.grid()) {
          if (axis.parts > 1) factors.push_back({axis.parts, axis.rank_stride});
        }
        if (factors.size() >= 2) pencils.push_back(factors);
        if (factors.size() == 3) {
          std::sort(factors.begin(), factors.end(), [](const GridFactor& a, const GridFactor& b) {
            return a.rank_stride > b.rank_stride;
          });
          // Neighboring factors of a row-major numbering merge into one.
          pencils.push_back({{factors[0].parts, factors[0].rank_stride},
                             {factors[1].parts * factors[2].parts, factors[2].rank_stride}});
          pencils.push_back({{factors[0].parts * factors[1].parts, factors[1].rank_stride},
                             {factors[2].parts, factors[2].rank_stride}});
        }
      }
      pencils.push_back(near_equal_factors(ranks, 2));
      // With the ranks of a node as one factor every other redistribution stays within nodes.
      const Index on_node = machine_.ranks_per_node;
      if (1 < on_node && on_node < ranks && ranks % on_node == 0) {
        pencils.push_back(row_major_factors({ranks / on_node, on_node}));
      }
    }
    if (options.algorithm != Algorithm::slab) {
      for (const auto& factors : pencils) add_assignments(factors);
    }
    if (options.algorithm != Algorithm::pencil || axes_ < 3) add_assignments({{ranks, 1}});
    // Everything on rank 0 always works, and is all that works for a single axis.
    add_grid(Axes<GridAxis>::filled(axes_, GridAxis{}));
  }

  /// What is done after transforming every axis that this candidate has whole. Complex kinds wait
  /// for the one that makes the numbers complex.
  AxisMask transform(AxisMask done, std::size_t candidate) const {
    const AxisMask ready = whole_[candidate] & goal_ & ~done;
    const bool waits = halved_ >= 0 && !((done | ready) >> halved_ & 1);
    return done | (waits ? ready & keep_real_ : ready);
  }

  double edge_seconds(AxisMask done, std::size_t from, std::size_t to) const {
    const Extents shape = problem_.shape_after(done);
    const auto before = at_shape(from, shape);
    const auto after = at_shape(to, shape);
    if (!before || !after) return std::numeric_limits<double>::infinity();
    const bool complex = problem_.complex_after(done);
    double total = 0;
    if (!same_boxes(*before, *after, shape)) {
      const ArrayState left{shape, complex, {*before, {}}}, reached{shape, complex, {*after, {}}};
      total = seconds(traffic(left, reached, common_group(*before, *after, problem_.ranks),
                              element_bytes(complex, problem_.precision), machine_),
                      machine_);
    }
    const AxisMask newly = transform(done, to) & ~done;
    const ArrayState state{shape, problem_.complex_after(done | newly), {*after, {}}};
    auto groups = group_axes(newly, problem_, natural_order(axes_),
                             2 * element_bytes(state.complex, problem_.precision), caches_);
    if (groups.empty()) groups.push_back({});  // what arrives has to be unpacked all the same
    for (const AxisList& axes : groups) {
      total += predicted_seconds(LocalStage{axes, state, state}, problem_.precision, machine_);
    }
    return total;
  }

  const ResolvedProblem& problem_;
  const Machine& machine_;
  CacheSizes caches_;
  int axes_;
  int halved_;
  AxisMask goal_ = 0;
  AxisMask keep_real_ = 0;             // axes whose kinds take real numbers to real ones
  std::vector<Candidate> candidates_;  // 0: input, 1: output, then intermediate ones
  std::vector<AxisMask> whole_;        // axes that a candidate has whole
};

void check_grid_option(const Options& options, Index ranks) {
  if (options.grid.empty()) return;
  const bool positive =
      std::all_of(options.grid.begin(), options.grid.end(), [](Index parts) { return parts > 0; });
  if (options.grid.size() != 2 || !positive || product(options.grid) != ranks) {
    const auto near_square = near_equal_factors(ranks, 2);
    throw Error("process grid " + to_string(options.grid) + ": give two numbers whose product is " +
                std::to_string(ranks) + " (the number of ranks), such as " +
                to_string(Extents{near_square[0].parts, near_square[1].parts}));
  }
}

}  // namespace

std::optional<Distribution> at_shape(const Distribution& distribution, const Extents& from,
                                     const Extents& to) {
  if (distribution.is_grid() || from == to) return distribution;
  std::vector<Box> boxes;
  for (Index rank = 0; rank < distribution.ranks(); ++rank) {
    boxes.push_back(distribution.box(from, rank));
  }
  for (int axis = 0; axis < to.size(); ++axis) {
    if (from[axis] == to[axis]) continue;
    if (!distribution.is_whole(from, axis)) return std::nullopt;
    for (Box& box : boxes) {
      if (!box.empty()) box.upper[axis] = to[axis];
    }
  }
  return Distribution::by_boxes(std::move(boxes));
}

std::vector<PathStep> shortest_path(const ResolvedProblem& problem, const Options& options,
                                    const Machine& machine) {
  check_grid_option(options, problem.ranks);
  return Search(problem, options, machine).shortest_path();
}

}  // namespace weft
