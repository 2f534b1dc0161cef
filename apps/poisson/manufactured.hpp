#pragma once

#include <vector>

#include "solver.hpp"

namespace poisson {

/// A known solution, and the right-hand side that it belongs to: a product of one smooth function
/// for each axis, which satisfies the conditions at its ends. Along unbounded axes that is a bump
/// that vanishes, with all derivatives, at both ends of the grid.
class Manufactured {
 public:
  explicit Manufactured(const Equation& equation);

  /// At a point of the grid.
  double solution(const weft::Extents& index) const;
  double right_hand_side(const weft::Extents& index) const;
  /// What a grid of this size leaves out of the right-hand side: the sum, over the axes, of the
  /// first coefficients of the series that have no mode. Of equations without unbounded axes.
  double unresolved() const { return unresolved_; }

 private:
  struct Values {
    std::vector<double> value;
    std::vector<double> curvature;  ///< minus the second derivative
  };

  std::vector<Values> axes_;  ///< at all points of each axis
  double lambda_;
  double mean_ = 0;  ///< of the product of functions; 0 unless the equation is singular
  double unresolved_ = 0;
};

}  // namespace poisson
