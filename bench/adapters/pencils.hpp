#pragma once

#include <algorithm>

#include "layouts.hpp"

/// For libraries of pencils: the last axis is whole before the transform, the first one after it. A
/// process grid {p0, p1} splits axes 0 and 1 before, axes 1 and 2 after; with {ranks, 1} these are
/// slabs, which take one exchange instead of two.
namespace weft::bench {

/// The process grid that the case asks for, empty where the library may choose. Throws Unsupported
/// where no process grid gives the layouts of the case.
inline Extents asked_grid(const Case& problem) {
  const auto form = [](const std::string& text) { return text.substr(0, text.find(':')); };
  const bool slabs = form(problem.in) == "slab" || form(problem.out) == "slab";
  if (problem.grid.empty() && !slabs) {
    require_layouts(problem, "pencil:2", "pencil:0");
    return {};
  }
  const std::string layouts = "layouts " + problem.in + " to " + problem.out;
  for (const std::string& asked : {problem.in, problem.out}) {
    const std::string name = form(asked);
    require((name == "any" || name == "slab" || name == "pencil") && asked.find(',') == asked.npos,
            layouts);
  }
  const Index ranks = ranks_of(problem);
  std::vector<Extents> grids = {{ranks, 1}, {1, ranks}};
  if (!problem.grid.empty()) {
    require(problem.grid.size() == 2 && product(problem.grid) == ranks,
            "process grid " + to_string(problem.grid));
    grids = {problem.grid};
  }
  for (const Extents& grid : grids) {
    if (conforms(problem.in, {grid[0], grid[1], 1}) &&
        conforms(problem.out, {1, grid[0], grid[1]})) {
      return grid;
    }
  }
  throw Unsupported("not offered: " + layouts + " of pencils");
}

/// What libraries of Fortran tell as the first and last indices x, y, z, which begin with 1; x is
/// the fastest in memory.
inline Box box_of(const int (&first)[3], const int (&last)[3]) {
  return {{first[2] - 1, first[1] - 1, first[0] - 1}, {last[2], last[1], last[0]}};
}

/// Whether every rank has points in all three orientations of the pencils.
inline bool grid_fits(const Case& problem, const Extents& grid) {
  const Extents spectrum = spectral_shape(problem);
  return grid[0] <= std::min(problem.shape[0], problem.shape[1]) &&
         grid[1] <= std::min(problem.shape[1], spectrum[2]);
}

/// For libraries without a choice of their own: slabs where "any" layout will do and there are
/// enough planes, else as square as can be.
inline Extents chosen_grid(const Case& problem) {
  const Extents asked = asked_grid(problem);
  if (!asked.empty()) return asked;
  const Extents slabs = {ranks_of(problem), 1};
  if (problem.in == "any" && problem.out == "any" && grid_fits(problem, slabs)) return slabs;
  int square[2] = {0, 0};
  MPI_Dims_create(ranks_of(problem), 2, square);
  return {square[0], square[1]};
}

inline void require_fitting(const Case& problem, const Extents& grid) {
  require(grid_fits(problem, grid), "ranks without points on process grid " + to_string(grid));
}

}  // namespace weft::bench
