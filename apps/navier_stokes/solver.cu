#include "solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "weft/device_function.hpp"

namespace weft::navier_stokes {

namespace {

constexpr int stages = 4;
/// What each stage counts in the step, and how far its slope leads to the next one.
constexpr double weight_of[stages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
constexpr double reach_of[stages] = {0.5, 0.5, 1, 0};

/// Where vector fields begin among the fields of coefficients.
namespace first {
constexpr Index velocity = 0,  // of the current stage
    start = 3,                 // of the step
    sum = 6,                   // where the weighted stages lead
    nonlinear = 9,             // not projected
    end = 12;
}  // namespace first

Problem batched(Problem problem, Index batch) {
  problem.batch = batch;
  return problem;
}

/// Arrays for a plan of so many fields each. If there are more than `period`, they begin again.
template <class T>
std::vector<T*> arrays(T* fields, Index size, Index count, Index batch, Index period) {
  std::vector<T*> result;
  for (Index field = 0; field < count; field += batch) {
    result.push_back(fields + field % period * size);
  }
  return result;
}

/// The derivative of a component along an axis, i k u.
template <class Real>
struct Derivative {
  Fields<Complex<Real>> velocity;
  ModeGrid grid;
  Index batch;  ///< fields of the array that a callback is for

  WEFT_HOST_DEVICE Complex<Real> operator()(int component, int axis, const Point& point) const {
    // Written out, so that the index stays in registers of a GPU.
    const double k = axis == 0   ? grid.wavenumbers[0][point.index[0]]
                     : axis == 1 ? grid.wavenumbers[1][point.index[1]]
                                 : grid.wavenumbers[2][point.index[2]];
    const Index at = point.offset - point.field % batch * velocity.size;
    return times_i(static_cast<Real>(k) * velocity[component][at]);
  }
};

/// Puts a component of the vorticity, that of the number of the field, in the place of what is
/// read.
template <class Real>
struct Curl {
  Derivative<Real> derivative;

  WEFT_HOST_DEVICE void operator()(Complex<Real>& value, const Point& point) const {
    const int c = static_cast<int>(point.field), a = (c + 1) % 3, b = (c + 2) % 3;
    value = derivative(b, a, point) - derivative(a, b, point);
  }
};

/// Likewise the derivatives of all components along the first axis, along the second, ...
template <class Real>
struct Gradient {
  Derivative<Real> derivative;

  WEFT_HOST_DEVICE void operator()(Complex<Real>& value, const Point& point) const {
    const int field = static_cast<int>(point.field);
    value = derivative(field % 3, field / 3, point);
  }
};

/// u x w at a point, in the place of the vorticity w.
template <class Real>
struct Cross {
  Fields<Real> points;

  WEFT_HOST_DEVICE void operator()(Index at) const {
    const Real u[3] = {points[0][at], points[1][at], points[2][at]};
    const Real w[3] = {points[3][at], points[4][at], points[5][at]};
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      points[3 + c][at] = u[a] * w[b] - u[b] * w[a];
    }
  }
};

/// -(u grad) u at a point, in the place of the first three derivatives.
template <class Real>
struct Advection {
  Fields<Real> points;

  WEFT_HOST_DEVICE void operator()(Index at) const {
    const Real u[3] = {points[0][at], points[1][at], points[2][at]};
    for (int c = 0; c < 3; ++c) {
      points[3 + c][at] =
          -(u[0] * points[3 + c][at] + u[1] * points[6 + c][at] + u[2] * points[9 + c][at]);
    }
  }
};

template <class Real>
struct CourantRate {
  Fields<Real> velocity;
  std::array<double, 3> points_per_length;

  WEFT_HOST_DEVICE double operator()(Index at) const {
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      sum += std::abs(static_cast<double>(velocity[c][at])) *
             points_per_length[static_cast<std::size_t>(c)];
    }
    return sum;
  }
};

/// Projects, adds friction and goes on to the next stage in one sweep over the arrays.
template <class Real>
struct Advance {
  Fields<Complex<Real>> fields;
  double viscosity;
  Real weight, reach;
  bool is_first, is_last;

  WEFT_HOST_DEVICE void operator()(const Mode& mode) const {
    const Index at = mode.offset;
    const Real k[3] = {static_cast<Real>(mode.k[0]), static_cast<Real>(mode.k[1]),
                       static_cast<Real>(mode.k[2])};
    const auto friction = static_cast<Real>(viscosity * mode.k2);
    const auto inverse = static_cast<Real>(mode.k2 > 0 ? 1 / mode.k2 : 0);
    const Complex<Real> n[3] = {fields[first::nonlinear][at], fields[first::nonlinear + 1][at],
                                fields[first::nonlinear + 2][at]};
    const Complex<Real> pressure = inverse * (k[0] * n[0] + k[1] * n[1] + k[2] * n[2]);
    for (int c = 0; c < 3; ++c) {
      Complex<Real>&velocity = fields[first::velocity + c][at],
      &start = fields[first::start + c][at], &sum = fields[first::sum + c][at];
      const Complex<Real> u = velocity;
      const Complex<Real> begin = is_first ? u : start;
      const Complex<Real> slope = n[c] - k[c] * pressure - friction * u;
      const Complex<Real> total = (is_first ? u : sum) + weight * slope;
      if (is_first) start = u;
      if (!is_last) sum = total;
      velocity = is_last ? total : begin + reach * slope;
    }
  }
};

}  // namespace

template <class Real>
Solver<Real>::Solver(MPI_Comm comm, const Problem& problem, const Options& options, Form form,
                     Index batch, double viscosity)
    : form_(form),
      plan_(comm, batched(problem, std::min<Index>(batch, 3)), options),
      modes_(plan_),
      sweeps_(plan_),
      viscosity_(viscosity) {
  if (batch == 9) nine_plan_.emplace(comm, batched(problem, batch), options);
  const Index members = plan_.info().batch;
  coefficients_ = PlanArray<Number>(plan_, first::end * (plan_.output().allocation_size / members));
  points_ = PlanArray<Real>(plan_, (3 + derivatives()) * (plan_.input().allocation_size / members));
}

template <class Real>
Fields<Complex<Real>> Solver<Real>::coefficients() const {
  return {reinterpret_cast<Complex<Real>*>(coefficients_.data()),
          static_cast<Index>(coefficients_.size()) / first::end};
}

template <class Real>
Fields<Real> Solver<Real>::points() const {
  return {points_.data(), static_cast<Index>(points_.size()) / (3 + derivatives())};
}

template <class Real>
std::vector<std::complex<Real>> Solver<Real>::velocity_on_host() const {
  std::vector<Number> values(static_cast<std::size_t>(3 * coefficients().size));
  coefficients_.copy_to(values);
  return values;
}

template <class Real>
void Solver<Real>::evaluate() {
  const Derivative<Real> derivative{coefficients(), modes_.in_place(),
                                    plan_of_derivatives().info().batch};
  if (form_ == Form::rotational) {
    evaluate(Curl<Real>{derivative}, Cross<Real>{points()});
  } else {
    evaluate(Gradient<Real>{derivative}, Advection<Real>{points()});
  }
}

template <class Real>
template <class Derivative, class Product>
void Solver<Real>::evaluate(const Derivative& derivative, const Product& product) {
  const Index modes = coefficients().size, points = this->points().size;
  const Index batch = plan_.info().batch, count = derivatives();
  Plan& derivatives_plan = plan_of_derivatives();
  const Index derivatives_batch = derivatives_plan.info().batch;
  Number* const velocity = coefficients_.data();
  Real *const velocity_at = points_.data(), *const derivatives_at = velocity_at + 3 * points;

  plan_.backward_many(arrays(velocity, modes, 3, batch, 3),
                      arrays(velocity_at, points, 3, batch, 3));
  // What is read besides the velocity, where nine fields are, is not used.
  derivatives_plan.backward_many(arrays(velocity, modes, count, derivatives_batch, 3),
                                 arrays(derivatives_at, points, count, derivatives_batch, count),
                                 on_input(device_function(derivative)));
  end(Phase::backward);
  sweeps_.for_each(points, product);
  end(Phase::products);
  plan_.forward_many(arrays(derivatives_at, points, 3, batch, 3),
                     arrays(velocity + first::nonlinear * modes, modes, 3, batch, 3));
  end(Phase::forward);
}

template <class Real>
double Solver<Real>::courant_rate() {
  CourantRate<Real> rate_at{points(), {}};
  for (std::size_t c = 0; c < 3; ++c) {
    rate_at.points_per_length[c] =
        static_cast<double>(plan_.info().input_points[static_cast<int>(c)]) /
        (2 * std::numbers::pi);
  }
  double rate = sweeps_.largest(points().size, rate_at);
  MPI_Allreduce(MPI_IN_PLACE, &rate, 1, MPI_DOUBLE, MPI_MAX, plan_.communicator());
  return rate;
}

template <class Real>
void Solver<Real>::step(double dt) {
  for (int stage = 0; stage < stages; ++stage) {
    if (stage > 0) evaluate();
    advance(stage, dt);
  }
}

template <class Real>
void Solver<Real>::advance(int stage, double dt) {
  sweeps_.for_each_mode(
      modes_.in_place(),
      Advance<Real>{coefficients(), viscosity_, static_cast<Real>(weight_of[stage] * dt),
                    static_cast<Real>(reach_of[stage] * dt), stage == 0, stage + 1 == stages});
  end(Phase::advance);
}

template <class Real>
void Solver<Real>::end(Phase phase) {
  sweeps_.wait();
  times_.end(phase);
}

template class Solver<float>;
template class Solver<double>;

}  // namespace weft::navier_stokes
