#include "axis.hpp"

#include <cmath>

namespace poisson {

using weft::Error;
using weft::Index;
using weft::Kind;

bool Axis::has_constants() const {
  return periodic() || (lower == End::neumann && upper == End::neumann);
}

Kind Axis::kind() const {
  const bool nodes = centring == Centring::node;
  if (periodic() || unbounded()) return Kind::c2c;
  if (lower == upper) {
    if (lower == End::dirichlet) return nodes ? Kind::dst1 : Kind::dst2;
    return nodes ? Kind::dct1 : Kind::dct2;
  }
  if (lower == End::dirichlet) return nodes ? Kind::dst3 : Kind::dst4;
  return nodes ? Kind::dct3 : Kind::dct4;
}

double Axis::coordinate(Index j) const {
  const bool between = kind() == Kind::c2c && centring == Centring::cell;
  const double shift = between ? 0.5 / static_cast<double>(points) : 0;
  return length * (weft::grid_point(kind(), j, points) + shift);
}

double Axis::spacing() const {
  return coordinate(1) - coordinate(0);
}

std::vector<double> Axis::eigenvalues(Kind kind, Index modes, Stencil stencil) const {
  std::vector<double> result;
  for (Index k = 0; k < modes; ++k) {
    const double wave = weft::angular_wavenumber(kind, k, points, length);
    // sin(w x), cos(w x) and exp(i w x) are eigenfunctions of the difference as well.
    const double root =
        stencil == Stencil::spectral ? wave : 2 / spacing() * std::sin(0.5 * wave * spacing());
    result.push_back(root * root);
  }
  return result;
}

void set_ends(Axis& axis, const std::string& text) {
  const auto end_of = [&](char letter) {
    if (letter == 'd') return End::dirichlet;
    if (letter == 'n') return End::neumann;
    throw Error("boundary '" + text +
                "' is unknown; known: p (periodic), u (unbounded), or d (Dirichlet) and n "
                "(Neumann) for the lower and the upper end: dd, dn, nd, nn");
  };
  if (text == "p" || text == "u") {
    axis.lower = axis.upper = text == "p" ? End::periodic : End::unbounded;
  } else {
    axis.lower = end_of(text.size() == 2 ? text[0] : '?');
    axis.upper = end_of(text[1]);
  }
}

std::string ends_of(const Axis& axis) {
  if (axis.periodic()) return "p";
  if (axis.unbounded()) return "u";
  const auto letter = [](End end) { return end == End::dirichlet ? 'd' : 'n'; };
  return {letter(axis.lower), letter(axis.upper)};
}

Centring parse_centring(const std::string& text) {
  if (text == "node") return Centring::node;
  if (text == "cell") return Centring::cell;
  throw Error("points '" + text + "' are unknown; known: node, cell");
}

}  // namespace poisson
