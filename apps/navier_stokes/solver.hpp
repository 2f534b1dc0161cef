#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "modes.hpp"
#include "phase_times.hpp"
#include "sweeps.hpp"
#include "weft/weft.hpp"

namespace weft::navier_stokes {

/// How the nonlinear term is written. Without aliasing both are the same but for a gradient.
enum class Form {
  rotational,  ///< u x w with the vorticity w = curl u: 3 derivatives
  advective,   ///< -(u grad) u: 9 derivatives
};

/// Fields one after another in an array, as loops and callbacks know them.
template <class T>
struct Fields {
  T* data;
  Index size;  ///< of one field

  WEFT_HOST_DEVICE T* operator[](Index field) const { return data + field * size; }
};

/// Incompressible flow in the box (2 pi)^3 in Fourier space,
///
///     d/dt u_k = P_k [N(u)]_k - nu k^2 u_k,    P_k = 1 - k k / k^2,
///
/// with a nonlinear term N of either form, in steps of the classical fourth-order Runge-Kutta
/// method. Products are formed in physical space. On a device all fields stay there.
template <class Real>
class Solver {
 public:
  using Number = std::complex<Real>;

  /// Collective, as all other functions but those that only tell. `problem` and `options` are those
  /// of the transform of one component, `batch` how many fields a transform takes: 1, 3, or 9 for
  /// the derivatives of the advective form and 3 for all else.
  Solver(MPI_Comm comm, const Problem& problem, const Options& options, Form form, Index batch,
         double viscosity);

  const Plan& plan() const { return plan_; }
  const Modes& modes() const { return modes_; }
  Sweeps& sweeps() { return sweeps_; }
  PhaseTimes& times() { return times_; }
  const PhaseTimes& times() const { return times_; }
  double viscosity() const { return viscosity_; }
  /// Coefficients of the modes: three components, where the plan works.
  Fields<Complex<Real>> velocity() const { return coefficients(); }
  /// The same on the host; free of divergence when set by the caller.
  std::vector<Number> velocity_on_host() const;
  void set_velocity(std::span<const Number> values) { coefficients_.copy_from(values); }

  /// Computes the nonlinear term of the velocity, the first stage of a step.
  void evaluate();
  /// Of the field last evaluated: the largest sum over the axes of |u| / dx.
  double courant_rate();
  /// The whole of a step whose first stage was evaluated.
  void step(double dt);

 private:
  template <class Derivative, class Product>
  void evaluate(const Derivative& derivative, const Product& product);
  void advance(int stage, double dt);
  void end(Phase phase);

  Fields<Complex<Real>> coefficients() const;
  Fields<Real> points() const;
  Index derivatives() const { return form_ == Form::rotational ? 3 : 9; }
  Plan& plan_of_derivatives() { return nine_plan_ ? *nine_plan_ : plan_; }

  Form form_;
  Plan plan_;                      ///< of one component, or of three
  std::optional<Plan> nine_plan_;  ///< of all derivatives
  Modes modes_;
  Sweeps sweeps_;
  double viscosity_;
  PlanArray<Number> coefficients_;  ///< four vector fields, see FirstField in solver.cu
  PlanArray<Real> points_;          ///< the velocity, then derivatives, which products replace
  PhaseTimes times_;
};

extern template class Solver<float>;
extern template class Solver<double>;

}  // namespace weft::navier_stokes
