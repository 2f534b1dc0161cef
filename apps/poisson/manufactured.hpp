#pragma once

#include <vector>

#include "solver.hpp"

namespace poisson {

/// A known solution, and the right-hand side that it belongs to: a product of one function for each
/// axis, which satisfies the conditions at its ends. It is analytic; or, with `smoothness`, which
/// is no integer and more than 3, like |x|^smoothness at x = 0, and so not even smooth when it is
/// continued there. Along unbounded axes it is a bump that vanishes, with all derivatives, at both
/// ends of the grid.
class Manufactured {
 public:
  explicit Manufactured(const Equation& equation, double smoothness = 0);

  /// At a point of the grid.
  double solution(const weft::Extents& index) const;
  double right_hand_side(const weft::Extents& index) const;
  /// About how large the error of u is because the series of the functions go on beyond the modes
  /// of the grid. Of analytic ones without unbounded axes, whose solver multiplies modes with
  /// numbers up to `largest_factor`.
  double unresolved(double largest_factor) const;
  /// With which power of the spacing that error falls; infinite for analytic solutions.
  double order() const;

 private:
  struct Values {
    std::vector<double> value;
    std::vector<double> curvature;  ///< minus the second derivative
  };

  Equation equation_;
  double smoothness_;
  std::vector<Values> axes_;  ///< at all points of each axis
  double mean_ = 0;           ///< of the product of functions; 0 unless the equation is singular
};

}  // namespace poisson
