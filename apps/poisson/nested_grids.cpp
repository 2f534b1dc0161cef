#include "nested_grids.hpp"

#include <algorithm>
#include <cmath>

#include "local_points.hpp"

namespace poisson {

namespace {

using weft::Box;
using weft::Extents;
using weft::Index;

/// Number on the fine axis of the first point of the coarse one.
Index first_common(const Axis& coarse, const Axis& fine) {
  return std::llround((coarse.coordinate(0) - fine.coordinate(0)) / fine.spacing());
}

/// The points of the coarse grid that are in a box of the fine one, where they are
/// first, first + ratio, ...
Box coarse_points_in(const Box& fine, const Extents& first, Index ratio) {
  Box box = fine;
  for (int axis = 0; axis < fine.axes(); ++axis) {
    for (Extents* end : {&box.lower, &box.upper}) {
      (*end)[axis] = ((*end)[axis] - first[axis] + ratio - 1) / ratio;
    }
  }
  return box.empty() ? weft::empty_box(fine.axes()) : box;
}

}  // namespace

std::optional<NestedGrids> nested_grids(const Equation& equation) {
  constexpr Index least_intervals = 7;  // fewer tell little of how fast errors fall
  const bool cells = std::any_of(equation.axes.begin(), equation.axes.end(),
                                 [](const Axis& axis) { return axis.centring == Centring::cell; });
  NestedGrids grids{equation, equation, cells ? 3 : 2};
  for (int axis = 0; axis < equation.axes.size(); ++axis) {
    const Axis& given = equation.axes[axis];
    const Index intervals = std::llround(given.length / given.spacing());
    const Index more = given.points - intervals;  // of nodes, which may be at both ends or at none
    const Index coarse = intervals / grids.ratio;
    if (coarse < least_intervals) return {};
    grids.coarse.axes[axis].points = coarse + more;
    grids.fine.axes[axis].points = grids.ratio * coarse + more;
  }
  return grids;
}

std::vector<double> at_coarse_points(const NestedGrids& grids, const weft::LocalArray& fine,
                                     const std::vector<double>& values,
                                     const weft::LayoutSpec& layout, MPI_Comm comm) {
  Extents first;
  weft::Axes<weft::Kind> kinds;
  for (int axis = 0; axis < grids.fine.axes.size(); ++axis) {
    first.push_back(first_common(grids.coarse.axes[axis], grids.fine.axes[axis]));
    kinds.push_back(weft::Kind::none);
  }
  // From where the fine grid lies to where the coarse one does.
  weft::Plan plan(comm, {.shape = grids.coarse.points(),
                         .kinds = kinds,
                         .input = weft::box(coarse_points_in(fine.box, first, grids.ratio)),
                         .output = layout,
                         .numbers = weft::Numbers::real});
  std::vector<double> here(plan.input().allocation_size), there(plan.output().allocation_size);
  for_each_point(plan.input(), [&](const Extents& index, Index offset) {
    Index from = fine.offset;
    for (int axis = 0; axis < index.size(); ++axis) {
      const Index on_fine = first[axis] + grids.ratio * index[axis];
      from += (on_fine - fine.box.lower[axis]) * fine.strides[axis];
    }
    here[offset] = values[from];
  });
  plan.forward(here, there);
  return there;
}

}  // namespace poisson
