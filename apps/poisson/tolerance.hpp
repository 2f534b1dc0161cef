#pragma once

#include <optional>
#include <string>

#include "manufactured.hpp"

namespace poisson {

struct Trial;

/// The error of a grid, estimated without knowing the solution, and what transforms may add to it.
struct Estimate {
  /// Of discretization, relative, in the L2 norm. Empty where it cannot be estimated.
  std::optional<double> error;
  /// Of transforms. Empty where messages are better left as they are.
  std::optional<double> tolerance;
  std::string reason;  ///< why one of them is empty
};

/// How much larger the error of u may be than that of each transform: the error of forward,
/// relative to f, is multiplied with factors of the solver, that of backward is relative to u. `f`
/// and `u` are norms.
double amplification(double largest_factor, double f, double u);

/// Solves on a grid and on a coarser one, in double precision and without compression; their
/// difference tells the error of both, as the order of convergence is known (Richardson). With the
/// tolerance compression adds as much at most. Collective.
Estimate estimate(const Trial& trial, MPI_Comm comm);

}  // namespace poisson
