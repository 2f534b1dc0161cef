#pragma once

#include <array>
#include <complex>
#include <vector>

#include "modes.hpp"
#include "weft/weft.hpp"

namespace weft::navier_stokes {

/// The three components of a vector field, each an array of its own.
template <class T>
using Components = std::array<std::vector<T>, 3>;

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
/// space.
template <class Real>
class Solver {
 public:
  using Complex = std::complex<Real>;

  /// Collective, as all other functions but those that only tell. `problem` and `options` are those
  /// of the transform of one component.
  Solver(const MpiProblem& problem, const Options& options, Batch batch, double viscosity);

  const Plan& plan() const { return plan_; }
  const Modes& modes() const { return modes_; }
  double viscosity() const { return viscosity_; }
  /// Coefficients of the modes; free of divergence when set by the caller.
  Components<Complex>& velocity() { return velocity_; }
  const Components<Complex>& velocity() const { return velocity_; }

  /// Computes u x w of the velocity, the first stage of a step.
  void evaluate();
  /// Of the field last evaluated: the largest sum over the axes of |u| / dx.
  double courant_rate() const;
  /// The whole of a step whose first stage was evaluated.
  void step(double dt);

 private:
  void evaluate_single();
  void evaluate_many();
  Complex curl(std::size_t component, const Point& point) const;
  Real cross(std::size_t component, Index offset) const;
  void advance(int stage, double dt);

  Plan plan_;
  Modes modes_;
  Batch batch_;
  double viscosity_;
  std::array<std::vector<Real>, 3> wavenumbers_;
  Components<Complex> velocity_;   ///< of the current stage
  Components<Complex> start_;      ///< of the step
  Components<Complex> sum_;        ///< where the weighted stages lead
  Components<Complex> nonlinear_;  ///< u x w, not projected
  Components<Real> velocity_at_;   ///< in physical space
  Components<Real> vorticity_at_;
};

extern template class Solver<float>;
extern template class Solver<double>;

}  // namespace weft::navier_stokes
