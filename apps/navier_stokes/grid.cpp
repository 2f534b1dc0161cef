#include "grid.hpp"

#include <algorithm>

#include "weft/error.hpp"

namespace weft::navier_stokes {

namespace {

/// With fewer points there is no mode but the mean.
constexpr Index fewest_points = 4;
/// No lattice is anywhere near this; products of three lengths stay within 63 bits.
constexpr Index most_points = Index{1} << 20;

/// Of an axis with n points, the highest wavenumber that has both signs.
Index highest_pair(Index n) {
  return (n - 1) / 2;
}

/// The largest |k| < 2/3 (n/2 + 1). One less would rule out aliasing also where 3 does not divide
/// n - 1; this one is what published codes keep.
Index two_thirds_of(Index n) {
  return (n + 1) / 3;
}

}  // namespace

Dealias parse_dealias(const std::string& text) {
  if (text == "2/3") return Dealias::two_thirds;
  if (text == "3/2") return Dealias::three_halves;
  if (text == "none") return Dealias::none;
  throw Error("dealiasing '" + text + "' is unknown; known: 2/3, 3/2, none");
}

Grid make_grid(const Extents& mesh, Dealias rule) {
  Grid grid;
  for (Index n : mesh) {
    if (n < fewest_points || n > most_points) {
      throw Error("mesh " + to_string(mesh) + ": lengths must be " + std::to_string(fewest_points) +
                  " to " + std::to_string(most_points));
    }
    grid.points.push_back(rule == Dealias::three_halves ? (3 * n + 1) / 2 : n);
    const Index highest = rule == Dealias::two_thirds ? two_thirds_of(n) : highest_pair(n);
    grid.modes.push_back(2 * highest + 1);
  }
  return grid;
}

Index highest_shell(const Grid& grid) {
  return (*std::min_element(grid.modes.begin(), grid.modes.end()) - 1) / 2;
}

}  // namespace weft::navier_stokes
