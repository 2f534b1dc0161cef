#pragma once

#include <optional>
#include <vector>

#include "solver.hpp"

namespace poisson {

/// Two grids of one box, all points of the coarse one on the fine one.
struct NestedGrids {
  Equation coarse;
  Equation fine;
  int ratio = 2;  ///< of their spacings
};

/// The fine grid has as many points as `equation`, or the next smaller number that allows it. Every
/// second node of a grid is one of a coarser grid; where any axis has cells, it is every third
/// point, as halves of cells have other centers. Empty where an axis has too few points.
std::optional<NestedGrids> nested_grids(const Equation& equation);

/// Values on the fine grid, at the points of the coarse one. Collective; both arrays in the layout
/// `layout`.
std::vector<double> at_coarse_points(const NestedGrids& grids, const weft::LocalArray& fine,
                                     const std::vector<double>& values,
                                     const weft::LayoutSpec& layout, MPI_Comm comm);

}  // namespace poisson
