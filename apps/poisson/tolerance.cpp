#include "tolerance.hpp"

#include <algorithm>
#include <cmath>

#include "local_points.hpp"
#include "nested_grids.hpp"
#include "trial.hpp"

namespace poisson {

namespace {

using weft::Extents;
using weft::Index;

/// That of the method or of the solution, whichever is lower; infinite where the error falls faster
/// than any power of the spacing.
double order_of_convergence(const Trial& trial) {
  const Equation& equation = trial.equation;
  double order = Manufactured(equation, trial.smoothness).order();
  if (equation.stencil == Stencil::second_order) order = std::min(order, 2.0);
  if (equation.unbounded_axes() > 0 && equation.kernel != Kernel::hej0) {
    order = std::min<double>(order, order_of(equation.kernel));
  }
  return order;
}

/// One equation, solved in double precision and without compression.
struct Solution {
  Solution(const Equation& equation, const Trial& trial, MPI_Comm comm)
      : solver(equation, comm, trial.in, trial.out, without_tolerance(trial.options)),
        f(solver.array().allocation_size),
        u(solver.array().allocation_size) {
    const Manufactured exact(equation, trial.smoothness);
    for_each_point(solver.array(), [&](const Extents& index, Index offset) {
      f[offset] = exact.right_hand_side(index) + trial.offset;
    });
    solver.solve(f, u);
  }

  static weft::Options without_tolerance(weft::Options options) {
    options.tolerance.reset();
    return options;
  }

  Solver<double> solver;
  std::vector<double> f, u;
};

/// Over all ranks, of the points that they own.
double norm(const weft::LocalArray& array, const std::vector<double>& values, MPI_Comm comm) {
  double sum = 0;
  for_each_point(array,
                 [&](const Extents&, Index offset) { sum += values[offset] * values[offset]; });
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return std::sqrt(sum);
}

/// By how much finer the grid is than one that had to be rounded; along the axis where it is most.
double finer(const Equation& grid, const Equation& rounded) {
  double ratio = 1;
  for (int axis = 0; axis < grid.axes.size(); ++axis) {
    ratio = std::max(ratio, rounded.axes[axis].spacing() / grid.axes[axis].spacing());
  }
  return ratio;
}

}  // namespace

double amplification(double largest_factor, double f, double u) {
  return 1 + largest_factor * f / u;
}

Estimate estimate(const Trial& trial, MPI_Comm comm) {
  constexpr double largest_change = 0.1;  // beyond which errors do not fall with their order yet
  const auto unknown = [](const std::string& reason) { return Estimate{{}, {}, reason}; };
  const double order = order_of_convergence(trial);
  if (std::isinf(order)) return unknown("the error falls faster than any power of the spacing");
  const std::optional<NestedGrids> grids = nested_grids(trial.equation);
  if (!grids) return unknown("too few points to estimate the error");

  const Solution fine(grids->fine, trial, comm), coarse(grids->coarse, trial, comm);
  const weft::LocalArray& array = fine.solver.array();
  const weft::LocalArray& common = coarse.solver.array();
  std::vector<double> change = at_coarse_points(*grids, array, fine.u, trial.in, comm);
  for_each_point(common, [&](const Extents&, Index offset) { change[offset] -= coarse.u[offset]; });
  const double relative = norm(common, change, comm) / norm(common, coarse.u, comm);
  if (!(relative <= largest_change)) return unknown("a coarser grid does not resolve the solution");

  const double error = relative / (std::pow(grids->ratio, order) - 1) /
                       std::pow(finer(trial.equation, grids->fine), order);
  const double tolerance =
      error / amplification(fine.solver.largest_factor(), norm(array, fine.f, comm),
                            norm(array, fine.u, comm));
  const Index points = weft::product(trial.equation.points());
  if (tolerance < weft::rounding_error_bound(trial.precision, points)) {
    return {error, {}, "the error is at rounding level"};
  }
  return {error, tolerance, ""};
}

}  // namespace poisson
