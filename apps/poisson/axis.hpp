#pragma once

#include <string>
#include <vector>
#include <weft/weft.hpp>

namespace poisson {

/// What holds at one end of an axis.
enum class End { periodic, dirichlet, neumann, unbounded };
/// Where the numbers of a grid are given.
enum class Centring { node, cell };
/// Eigenvalues of the second derivative: exact ones, or those of the three-point difference.
enum class Stencil { spectral, second_order };

/// One axis of the box: what holds at its ends, and its points.
struct Axis {
  End lower = End::periodic;
  End upper = End::periodic;
  Centring centring = Centring::node;
  weft::Index points = 0;
  double length = 1;

  bool unbounded() const { return lower == End::unbounded; }
  bool periodic() const { return lower == End::periodic; }
  /// Whether a constant satisfies the conditions at both ends.
  bool has_constants() const;
  /// That diagonalizes the second derivative; of an axis that takes Fourier transforms c2c.
  weft::Kind kind() const;
  /// Of the transform: an unbounded axis is doubled, so that its convolution does not wrap around.
  weft::Index transform_length() const { return unbounded() ? 2 * points : points; }
  double coordinate(weft::Index j) const;
  double spacing() const;
  /// Of -d^2/dx^2, for each of the first `modes` coefficients; of an axis that is not unbounded.
  std::vector<double> eigenvalues(weft::Kind kind, weft::Index modes, Stencil stencil) const;
};

/// "p", "u", or one of d and n for each end: "dn". Throws Error for anything else.
void set_ends(Axis& axis, const std::string& text);
/// The text that set_ends() takes.
std::string ends_of(const Axis& axis);
/// "node" or "cell"
Centring parse_centring(const std::string& text);

}  // namespace poisson
