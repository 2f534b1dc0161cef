#include "schedule/planner.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>

#include "schedule/chunks.hpp"
#include "schedule/path.hpp"

namespace weft {

namespace {

using Mask = AxisMask;  // axes that have been transformed

/// A distribution that the array may take, and the shape its listed boxes are meant for.
struct Candidate {
  Distribution distribution;
  Extents shape;
};

/// The candidate for an array of another shape: rules apply to any shape; listed boxes only where
/// the length that differs (the halved axis) is whole, and is then adapted.
std::optional<Distribution> at_shape(const Candidate& candidate, const Extents& shape) {
  if (candidate.distribution.is_grid() || candidate.shape == shape) return candidate.distribution;
  std::vector<Box> boxes;
  for (Index rank = 0; rank < candidate.distribution.ranks(); ++rank) {
    boxes.push_back(candidate.distribution.box(candidate.shape, rank));
  }
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (candidate.shape[axis] == shape[axis]) continue;
    if (!candidate.distribution.is_whole(candidate.shape, axis)) return std::nullopt;
    for (Box& box : boxes) {
      if (!box.empty()) box.upper[axis] = shape[axis];
    }
  }
  return Distribution::by_boxes(std::move(boxes));
}

/// Local FFT libraries offer transforms of up to three axes everywhere.
constexpr int max_local_axes = 3;

/// The caches of a device are its library's business.
Index bytes_transformed_together(const Options& options, const Machine& machine) {
  return options.device == "host" ? machine.caches.group : std::numeric_limits<Index>::max();
}

/// Divides axes transformed in one layout into groups whose lines fit in cache together. Kinds that
/// keep numbers real come first, as long as these are so, then the halved axis, then the others; of
/// those alike the ones that make the array smaller come first and those that make it larger last,
/// and otherwise the fastest in memory come first.
std::vector<AxisList> group_axes(Mask mask, const ResolvedProblem& problem, const AxisList& order,
                                 Index bytes_per_point, Index group_bytes) {
  const auto turn = [&](int axis) {
    const KindTraits& kind = traits(problem.kinds[axis]);
    const Index before = problem.shape[axis], after = problem.spectral[axis];
    const int growth = kind.real_to_complex || before == after ? 0 : after < before ? -1 : 1;
    return std::pair(kind.keeps_real ? 0 : kind.real_to_complex ? 1 : 2, growth);
  };
  AxisList sorted;
  for (int i = order.size() - 1; i >= 0; --i) {
    if (mask >> order[i] & 1) sorted.push_back(order[i]);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return turn(a) < turn(b); });
  std::vector<AxisList> groups;
  Index bytes = 0;
  for (int axis : sorted) {
    const Index points = std::max(problem.shape[axis], problem.spectral[axis]);
    const bool joins =
        !groups.empty() && groups.back().size() < max_local_axes && bytes <= group_bytes / points;
    if (joins) {
      groups.back().push_back(axis);
      bytes *= points;
    } else {
      groups.push_back({axis});
      bytes = points * bytes_per_point;
    }
  }
  return groups;
}

class Search {
 public:
  Search(const ResolvedProblem& problem, const Options& options, const Machine& machine)
      : problem_(problem),
        machine_(machine),
        group_bytes_(bytes_transformed_together(options, machine)),
        axes_(problem.shape.size()),
        halved_(halved_axis(problem.kinds)) {
    for (int axis = 0; axis < axes_; ++axis) {
      const KindTraits& kind = traits(problem.kinds[axis]);
      if (kind.transforms) goal_ |= Mask{1} << axis;
      if (kind.keeps_real) keep_real_ |= Mask{1} << axis;
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
      const Mask done = mask_of(from);
      for (std::size_t next = 0; next < candidates_.size(); ++next) {
        if (next == candidate_of(from)) continue;
        const Mask after = transform(done, next);
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
      const Mask arrival = previous[at] == states ? 0 : mask_of(previous[at]);
      const auto distribution =
          at_shape(candidates_[candidate_of(at)], problem_.shape_after(arrival));
      path.push_back({*distribution, arrival, mask_of(at)});
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  std::size_t state(Mask done, std::size_t candidate) const { return candidate << axes_ | done; }
  Mask mask_of(std::size_t state) const { return static_cast<Mask>(state & ((1u << axes_) - 1)); }
  std::size_t candidate_of(std::size_t state) const { return state >> axes_; }

  void add_candidate(const Distribution& distribution, const Extents& shape) {
    candidates_.push_back({distribution, shape});
    Mask whole = 0;
    for (int axis = 0; axis < axes_; ++axis) {
      // Lines of a grid's layout are whole before and after they are transformed, or neither.
      const bool both = !distribution.is_grid() || (distribution.is_whole(problem_.shape, axis) &&
                                                    distribution.is_whole(problem_.spectral, axis));
      if (both && distribution.is_whole(shape, axis)) whole |= Mask{1} << axis;
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
          // Neighbouring factors of a row-major numbering merge into one.
          pencils.push_back({{factors[0].parts, factors[0].rank_stride},
                             {factors[1].parts * factors[2].parts, factors[2].rank_stride}});
          pencils.push_back({{factors[0].parts * factors[1].parts, factors[1].rank_stride},
                             {factors[2].parts, factors[2].rank_stride}});
        }
      }
      pencils.push_back(near_equal_factors(ranks, 2));
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
  Mask transform(Mask done, std::size_t candidate) const {
    const Mask ready = whole_[candidate] & goal_ & ~done;
    const bool waits = halved_ >= 0 && !((done | ready) >> halved_ & 1);
    return done | (waits ? ready & keep_real_ : ready);
  }

  double edge_seconds(Mask done, std::size_t from, std::size_t to) const {
    const Extents shape = problem_.shape_after(done);
    const auto before = at_shape(candidates_[from], shape);
    const auto after = at_shape(candidates_[to], shape);
    if (!before || !after) return std::numeric_limits<double>::infinity();
    const bool complex = problem_.complex_after(done);
    double total = 0;
    if (!same_boxes(*before, *after, shape)) {
      const ArrayState left{shape, complex, {*before, {}}}, reached{shape, complex, {*after, {}}};
      total = seconds(traffic(left, reached, common_group(*before, *after, problem_.ranks),
                              element_bytes(complex, problem_.precision), machine_),
                      machine_);
    }
    const Mask newly = transform(done, to) & ~done;
    const ArrayState state{shape, problem_.complex_after(done | newly), {*after, {}}};
    auto groups = group_axes(newly, problem_, natural_order(axes_),
                             2 * element_bytes(state.complex, problem_.precision), group_bytes_);
    if (groups.empty()) groups.push_back({});  // what arrives has to be unpacked all the same
    for (const AxisList& axes : groups) {
      total += predicted_seconds(LocalStage{axes, state, state}, problem_.precision, machine_);
    }
    return total;
  }

  const ResolvedProblem& problem_;
  const Machine& machine_;
  Index group_bytes_;
  int axes_;
  int halved_;
  Mask goal_ = 0;
  Mask keep_real_ = 0;                 // axes whose kinds take real numbers to real ones
  std::vector<Candidate> candidates_;  // 0: input, 1: output, then intermediate ones
  std::vector<Mask> whole_;            // axes that a candidate has whole
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

Schedule plan_schedule(const ResolvedProblem& problem, const Options& options,
                       const Machine& machine) {
  check_grid_option(options, problem.ranks);
  Search search(problem, options, machine);
  const auto path = search.shortest_path();
  const int halved = halved_axis(problem.kinds);
  const PathDetails details = choose_details(path, problem, options);
  const Index group_bytes = bytes_transformed_together(options, machine);

  Schedule schedule;
  ArrayState state{problem.shape, problem.complex_input(), problem.input};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto& step = path[i];
    Memory memory;
    memory.order = details.orders[i];
    memory = memory.dense();
    if (i > 0 && !same_boxes(state.layout.distribution, step.distribution, state.shape)) {
      ArrayState after{state.shape, state.complex, {step.distribution, memory}};
      const Group group = common_group(state.layout.distribution, step.distribution, problem.ranks);
      schedule.stages.push_back(
          RedistributeStage{state, after, group, details.message_order, details.chunkings[i]});
      state = after;
    }
    const bool complex = problem.complex_after(step.done_on_departure);
    const Index bytes_per_point = 2 * element_bytes(complex, problem.precision);
    std::vector<AxisList> groups;
    const int cut_in = details.chunkings[i].receiver.axis;
    const int cut_out = details.chunkings[i + 1].sender.axis;
    for (AxisMask part : separate(step.transformed(), cut_in, cut_out, halved)) {
      for (const AxisList& axes :
           group_axes(part, problem, memory.order, bytes_per_point, group_bytes)) {
        groups.push_back(axes);
      }
    }
    Mask done = step.done_on_arrival;
    for (const AxisList& axes : groups) {
      for (int axis : axes) done |= Mask{1} << axis;
      ArrayState after{problem.shape_after(done), problem.complex_after(done), {{}, memory}};
      after.layout.distribution = *at_shape({state.layout.distribution, state.shape}, after.shape);
      schedule.stages.push_back(LocalStage{axes, state, after});
      state = after;
    }
  }
  if (schedule.stages.empty()) schedule.stages.push_back(LocalStage{{}, state, state});
  std::visit([&](auto& last) { last.after.layout = problem.output; }, schedule.stages.back());
  return schedule;
}

}  // namespace weft
