#pragma once

#include <optional>

#include "solver.hpp"
#include "tolerance.hpp"

namespace poisson {

/// One equation with a known solution, solved on a grid.
struct Trial {
  Equation equation;
  double smoothness = 0;  ///< of the solution, see Manufactured; 0: analytic
  weft::Precision precision = weft::Precision::f64;
  weft::LayoutSpec in;
  weft::LayoutSpec out;
  weft::Options options;
  bool automatic_tolerance = false;  ///< from an estimate of the error
  double offset = 0;                 ///< added to the right-hand side
  int repeat = 1;
};

/// The same on all ranks.
struct Result {
  double error = 0;          ///< relative, in the L2 norm
  double largest_error = 0;  ///< relative to the largest value of the solution
  /// What the error must not exceed. Empty where the order of convergence says all there is to say:
  /// with unbounded axes, differences or a solution that is not analytic, if nothing is estimated.
  std::optional<double> bound;
  double removed_mean = 0;          ///< of the right-hand side
  bool mean_counts = false;         ///< it is more than an error of the transform
  std::optional<double> tolerance;  ///< of transforms
  Estimate estimate;                ///< nothing, unless the tolerance was to be found
  double compression_error = 0;     ///< of forward or backward, the larger one
  double seconds = 0;               ///< of the fastest solution
  weft::Index bytes = 0;            ///< sent by all ranks in one solution
  int threads = 1;
};

/// Collective.
Result run(Trial trial, MPI_Comm comm);

}  // namespace poisson
