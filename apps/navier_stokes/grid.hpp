#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft::navier_stokes {

/// How products in physical space are kept from aliasing: which points there are for a mesh, and
/// which modes.
enum class Dealias {
  two_thirds,    ///< the mesh as it is, modes below two thirds of its highest wavenumber
  three_halves,  ///< the modes of the mesh, on half as many points again
  none,          ///< the mesh as it is and all its modes, save a lone highest one
};

Dealias parse_dealias(const std::string& text);

/// Points along each axis, and modes -m ... m, for Problem::shape and Problem::keep.
struct Grid {
  Extents points;
  Extents modes;
};

Grid make_grid(const Extents& mesh, Dealias rule);

/// The highest wavenumber whose whole shell is kept.
Index highest_shell(const Grid& grid);

}  // namespace weft::navier_stokes
