#include "solver.hpp"

#include <algorithm>
#include <cmath>

#include "local_points.hpp"

namespace poisson {

namespace {

using weft::Extents;
using weft::Index;
using weft::Kind;

template <class Real>
constexpr weft::Precision precision_of() {
  return sizeof(Real) == sizeof(float) ? weft::Precision::f32 : weft::Precision::f64;
}

/// One Fourier axis is r2c, as data are real; an unbounded one where there is any, so that kernels
/// can be transformed in the same way.
weft::Axes<Kind> kinds_of(const Equation& equation) {
  weft::Axes<Kind> kinds;
  int halved = -1;
  for (int axis = 0; axis < equation.axes.size(); ++axis) {
    const Axis& one = equation.axes[axis];
    kinds.push_back(one.kind());
    if (one.unbounded() || (one.periodic() && equation.unbounded_axes() == 0)) halved = axis;
  }
  if (halved >= 0) kinds[halved] = Kind::r2c;
  return kinds;
}

/// Forward divides by the number of points, so that the constant mode is the mean.
template <class Real>
weft::Problem problem_of(const Equation& equation, const weft::LayoutSpec& in,
                         const weft::LayoutSpec& out) {
  Extents lengths;
  for (const Axis& axis : equation.axes) lengths.push_back(axis.transform_length());
  return {.shape = lengths,
          .kinds = kinds_of(equation),
          .input = in,
          .output = out,
          .precision = precision_of<Real>(),
          .norm = weft::Norm::forward,
          .input_points = equation.points()};
}

/// Eigenvalues along every axis that is not unbounded, by mode.
std::vector<std::vector<double>> eigenvalues_of(const Equation& equation, const weft::Plan& plan) {
  std::vector<std::vector<double>> result;
  for (int axis = 0; axis < equation.axes.size(); ++axis) {
    const Axis& one = equation.axes[axis];
    const Kind kind = plan.info().kinds[axis];
    const Index modes = kind == Kind::r2c ? one.points / 2 + 1 : one.points;
    result.push_back(one.unbounded() ? std::vector<double>()
                                     : one.eigenvalues(kind, modes, equation.stencil));
  }
  return result;
}

/// lambda + the eigenvalue of -laplacian along the axes that are not unbounded.
double shifted_eigenvalue(const Equation& equation,
                          const std::vector<std::vector<double>>& eigenvalues,
                          const Extents& mode) {
  double sum = equation.lambda;
  for (int axis = 0; axis < mode.size(); ++axis) {
    if (!eigenvalues[axis].empty()) sum += eigenvalues[axis][mode[axis]];
  }
  return sum;
}

}  // namespace

Extents Equation::points() const {
  Extents result;
  for (const Axis& axis : axes) result.push_back(axis.points);
  return result;
}

int Equation::unbounded_axes() const {
  return static_cast<int>(
      std::count_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.unbounded(); }));
}

bool Equation::singular() const {
  return lambda == 0 && std::all_of(axes.begin(), axes.end(),
                                    [](const Axis& axis) { return axis.has_constants(); });
}

template <class Real>
Solver<Real>::Solver(const Equation& equation, MPI_Comm comm, const weft::LayoutSpec& in,
                     const weft::LayoutSpec& out, const weft::Options& options)
    : plan_(comm, problem_of<Real>(equation, in, out), options) {
  const weft::LocalArray& modes = plan_.output();
  if (modes.type.complex) {
    complex_modes_.resize(modes.allocation_size);
  } else {
    real_modes_.resize(modes.allocation_size);
  }
  factors_.resize(modes.allocation_size);
  if (equation.unbounded_axes() > 0) {
    factors_of_free_space(equation, comm, in, out, options);
  } else {
    factors_of_eigenvalues(equation);
  }
  for (Real factor : factors_) {
    largest_factor_ = std::max(largest_factor_, std::abs(static_cast<double>(factor)));
  }
  MPI_Allreduce(MPI_IN_PLACE, &largest_factor_, 1, MPI_DOUBLE, MPI_MAX, plan_.communicator());
}

template <class Real>
void Solver<Real>::factors_of_eigenvalues(const Equation& equation) {
  const auto eigenvalues = eigenvalues_of(equation, plan_);
  for_each_point(plan_.output(), [&](const Extents& mode, Index offset) {
    const double eigenvalue = shifted_eigenvalue(equation, eigenvalues, mode);
    factors_[offset] = static_cast<Real>(eigenvalue > 0 ? 1 / eigenvalue : 0);
    if (eigenvalue == 0) constant_mode_ = offset;
  });
}

/// Every mode of the bounded axes has an equation of its own along the unbounded ones, whose
/// solution is a convolution: with the kernel of that mode's eigenvalue, which is transformed along
/// the unbounded axes only (Hockney and Eastwood, Computer Simulation Using Particles, 1988).
template <class Real>
void Solver<Real>::factors_of_free_space(const Equation& equation, MPI_Comm comm,
                                         const weft::LayoutSpec& in, const weft::LayoutSpec& out,
                                         weft::Options options) {
  const int unbounded = equation.unbounded_axes();
  if (equation.kernel != Kernel::chat2 &&
      (unbounded < equation.axes.size() || equation.lambda > 0)) {
    throw weft::Error("only kernel chat2 solves equations with bounded axes or with lambda");
  }
  weft::Axes<Kind> kinds = plan_.info().kinds;
  double volume = 1, widest = 0;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    const Axis& one = equation.axes[axis];
    if (one.unbounded()) {
      volume *= one.spacing();
      widest = std::max(widest, one.spacing());
    } else {
      kinds[axis] = Kind::none;
    }
  }
  weft::Problem problem = problem_of<Real>(equation, in, out);
  problem.kinds = kinds;
  problem.input_points = {};
  problem.norm = weft::Norm::backward;
  options.tolerance.reset();
  options.codec = "none";
  weft::Plan plan(comm, problem, options);

  const FreeSpace kernel(equation.kernel, unbounded, volume, widest);
  const auto eigenvalues = eigenvalues_of(equation, plan_);
  std::vector<Real> samples(plan.input().allocation_size);
  for_each_point(plan.input(), [&](const Extents& index, Index offset) {
    double square = 0;
    for (int axis = 0; axis < index.size(); ++axis) {
      const Axis& one = equation.axes[axis];
      if (!one.unbounded()) continue;
      const Index steps = std::min(index[axis], one.transform_length() - index[axis]);
      square += std::pow(static_cast<double>(steps) * one.spacing(), 2);
    }
    const double kappa = std::sqrt(shifted_eigenvalue(equation, eigenvalues, index));
    samples[offset] = static_cast<Real>(volume * kernel(std::sqrt(square), kappa));
  });
  // The kernel is even, and so its transform real.
  plan.forward(samples, complex_modes_,
               weft::on_output([&](std::complex<Real>& value, const weft::Point& point) {
                 factors_[point.offset] = value.real();
               }));
}

template <class Real>
template <class Modes>
void Solver<Real>::solve_with(Modes& modes, const std::vector<Real>& f, std::vector<Real>& u) {
  removed_mean_ = 0;
  plan_.forward(f, modes, weft::on_output([this](auto& value, const weft::Point& point) {
                  if (point.offset == constant_mode_) removed_mean_ = std::real(value);
                  value *= factors_[point.offset];
                }));
  const weft::Report there = plan_.report();
  plan_.backward(modes, u);
  const weft::Report back = plan_.report();
  bytes_sent_ = there.bytes + back.bytes;
  compression_error_ = std::max(there.error, back.error);
  MPI_Allreduce(MPI_IN_PLACE, &removed_mean_, 1, MPI_DOUBLE, MPI_SUM, plan_.communicator());
}

template <class Real>
void Solver<Real>::solve(const std::vector<Real>& f, std::vector<Real>& u) {
  if (plan_.output().type.complex) {
    solve_with(complex_modes_, f, u);
  } else {
    solve_with(real_modes_, f, u);
  }
}

template class Solver<float>;
template class Solver<double>;

}  // namespace poisson
