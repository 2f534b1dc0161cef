#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "local_points.hpp"

namespace poisson {

namespace {

using weft::Extents;
using weft::Index;

/// Squared L2 norms and largest absolute values, over all ranks.
struct Norms {
  double squares[3] = {0, 0, 0};  ///< of the error, the solution and the right-hand side
  double largest[2] = {0, 0};     ///< of the error and the solution
};

template <class Real>
Norms norms_of(const weft::LocalArray& array, const Manufactured& exact, const std::vector<Real>& u,
               MPI_Comm comm) {
  Norms norms;
  for_each_point(array, [&](const Extents& index, Index offset) {
    const double solution = exact.solution(index);
    const double error = std::abs(static_cast<double>(u[offset]) - solution);
    norms.squares[0] += error * error;
    norms.squares[1] += solution * solution;
    norms.squares[2] += std::pow(exact.right_hand_side(index), 2);
    // NaN is larger than anything.
    if (!(error <= norms.largest[0])) norms.largest[0] = error;
    norms.largest[1] = std::max(norms.largest[1], std::abs(solution));
  });
  if (std::isnan(norms.largest[0])) norms.largest[0] = std::numeric_limits<double>::infinity();
  MPI_Allreduce(MPI_IN_PLACE, norms.squares, 3, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, norms.largest, 2, MPI_DOUBLE, MPI_MAX, comm);
  return norms;
}

/// Relative error that a transform may have.
double transform_error(const Trial& trial) {
  const Index points = weft::product(trial.equation.points());
  return std::max(trial.options.tolerance.value_or(0),
                  weft::rounding_error_bound(trial.precision, points));
}

/// Whether errors fall faster than any power of the spacing, and it is known how fast.
bool is_spectral(const Trial& trial) {
  return trial.equation.unbounded_axes() == 0 && trial.smoothness == 0 &&
         trial.equation.stencil == Stencil::spectral;
}

template <class Real>
Result run_in(const Trial& trial, const Estimate& found, MPI_Comm comm) {
  Solver<Real> solver(trial.equation, comm, trial.in, trial.out, trial.options);
  const Manufactured exact(trial.equation, trial.smoothness);
  const weft::LocalArray& array = solver.array();
  std::vector<Real> f(array.allocation_size), u(array.allocation_size);
  for_each_point(array, [&](const Extents& index, Index offset) {
    f[offset] = static_cast<Real>(exact.right_hand_side(index) + trial.offset);
  });

  Result result;
  result.seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < trial.repeat; ++i) {
    MPI_Barrier(comm);
    const double start = MPI_Wtime();
    solver.solve(f, u);
    result.seconds = std::min(result.seconds, MPI_Wtime() - start);
  }
  MPI_Allreduce(MPI_IN_PLACE, &result.seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  result.bytes = solver.bytes_sent();
  MPI_Allreduce(MPI_IN_PLACE, &result.bytes, 1, MPI_INT64_T, MPI_SUM, comm);
  result.threads = solver.plan().info().threads;
  result.tolerance = trial.options.tolerance;
  result.compression_error = solver.compression_error();
  result.removed_mean = solver.removed_mean();

  const Norms norms = norms_of(array, exact, u, comm);
  result.error = std::sqrt(norms.squares[0] / norms.squares[1]);
  result.largest_error = norms.largest[0] / norms.largest[1];
  const double points = static_cast<double>(weft::product(trial.equation.points()));
  const double rms_u = std::sqrt(norms.squares[1] / points);
  const double rms_f = std::sqrt(norms.squares[2] / points);
  const double accepted = transform_error(trial);
  result.mean_counts = std::abs(result.removed_mean) > 2 * accepted * rms_f;
  result.estimate = found;
  std::optional<double> of_grid = found.error;
  if (!of_grid && is_spectral(trial)) of_grid = exact.unresolved(solver.largest_factor());
  if (of_grid) {
    // Of the estimate; and ends of cosine and sine transforms have weights of their own.
    constexpr double margin = 2;
    const double of_transforms = accepted * amplification(solver.largest_factor(), rms_f, rms_u);
    result.bound = margin * (of_transforms + *of_grid);
  }
  return result;
}

}  // namespace

Result run(Trial trial, MPI_Comm comm) {
  Estimate found;
  if (trial.automatic_tolerance) {
    found = estimate(trial, comm);
    trial.options.tolerance = found.tolerance;
  }
  return trial.precision == weft::Precision::f32 ? run_in<float>(trial, found, comm)
                                                 : run_in<double>(trial, found, comm);
}

}  // namespace poisson
