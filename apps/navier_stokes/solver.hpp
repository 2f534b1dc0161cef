#pragma once

#include <array>
#include <complex>
#include <span>
#include <vector>

#include "modes.hpp"
#include "sweeps.hpp"
#include "weft/weft.hpp"

namespace weft::navier_stokes {

/// The three components of a vector field, each an array of its own where the plan works.
template <class T>
using Components = std::array<PlanArray<T>, 3>;

/// How the transforms of one evaluation are made.
enum class Batch {
  single,  ///< one after another
  many,    ///< together, so that some travel while others are transformed
};

/// Incompressible flow in the box (2 pi)^3 in Fourier space,
///
///     d/dt u_k = P_k [u x w]_k - nu k^2 u_k,    w = curl u,    P_k = 1 - k k / k^2,
///
/// in steps of the classical fourth-order Runge-Kutta method. Products are formed in physical
/// space. On a device all fields stay there.
template <class Real>
class Solver {
 public:
  using Number = std::complex<Real>;

  /// Collective, as all other functions but those that only tell. `problem` and `options` are those
  /// of the transform of one component.
  Solver(MPI_Comm comm, const Problem& problem, const Options& options, Batch batch,
         double viscosity);

  const Plan& plan() const { return plan_; }
  const Modes& modes() const { return modes_; }
  Sweeps& sweeps() { return sweeps_; }
  double viscosity() const { return viscosity_; }
  /// Coefficients of the modes, where the plan works.
  const Components<Number>& velocity() const { return velocity_; }
  /// Of one component, on the host; free of divergence when set by the caller.
  std::vector<Number> velocity_on_host(std::size_t component) const;
  void set_velocity(std::size_t component, std::span<const Number> values) {
    velocity_[component].copy_from(values);
  }

  /// Computes u x w of the velocity, the first stage of a step.
  void evaluate();
  /// Of the field last evaluated: the largest sum over the axes of |u| / dx.
  double courant_rate();
  /// The whole of a step whose first stage was evaluated.
  void step(double dt);

 private:
  void evaluate_single();
  void evaluate_many();
  void advance(int stage, double dt);

  Plan plan_;
  Modes modes_;
  Sweeps sweeps_;
  Batch batch_;
  double viscosity_;
  Components<Real> wavenumbers_;  ///< along each axis, in the precision of the fields
  Components<Number> velocity_;   ///< of the current stage
  Components<Number> start_;      ///< of the step
  Components<Number> sum_;        ///< where the weighted stages lead
  Components<Number> nonlinear_;  ///< u x w, not projected
  Components<Real> velocity_at_;  ///< in physical space
  Components<Real> vorticity_at_;
};

extern template class Solver<float>;
extern template class Solver<double>;

}  // namespace weft::navier_stokes
