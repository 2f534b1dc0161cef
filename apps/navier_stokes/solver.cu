#include "solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weft/device_function.hpp"

namespace weft::navier_stokes {

namespace {

constexpr int stages = 4;
/// What each stage counts in the step, and how far its slope leads to the next one.
constexpr double weight_of[stages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
constexpr double reach_of[stages] = {0.5, 0.5, 1, 0};

/// The three arrays of a field, as loops and callbacks know them.
template <class T>
struct Field {
  T* component[3];

  WEFT_HOST_DEVICE T* operator[](int c) const { return component[c]; }
};

template <class Real>
Field<const Real> seen(const Components<Real>& field) {
  return {{field[0].data(), field[1].data(), field[2].data()}};
}
template <class Real>
Field<Complex<Real>> seen(const Components<std::complex<Real>>& field) {
  const auto data = [&](std::size_t c) {
    return reinterpret_cast<Complex<Real>*>(field[c].data());
  };
  return {{data(0), data(1), data(2)}};
}

/// Puts a component of the curl, i k x u, in the place of what is read; of all components that of
/// the number of the field, unless one is given.
template <class Real>
struct Curl {
  Field<Complex<Real>> velocity;
  Field<const Real> wavenumbers;
  int only = -1;

  WEFT_HOST_DEVICE void operator()(Complex<Real>& value, const Point& point) const {
    const int component = only >= 0 ? only : static_cast<int>(point.field);
    const int a = (component + 1) % 3, b = (component + 2) % 3;
    value = times_i(wavenumber(a, point) * velocity[b][point.offset] -
                    wavenumber(b, point) * velocity[a][point.offset]);
  }
  WEFT_HOST_DEVICE Real wavenumber(int axis, const Point& point) const {
    // Written out, so that the index stays in registers of a GPU.
    return axis == 0   ? wavenumbers[0][point.index[0]]
           : axis == 1 ? wavenumbers[1][point.index[1]]
                       : wavenumbers[2][point.index[2]];
  }
};

/// u x w, likewise.
template <class Real>
struct Cross {
  Field<const Real> velocity, vorticity;
  int only = -1;

  WEFT_HOST_DEVICE void operator()(Real& value, const Point& point) const {
    const int component = only >= 0 ? only : static_cast<int>(point.field);
    const int a = (component + 1) % 3, b = (component + 2) % 3;
    const Index at = point.offset;
    value = velocity[a][at] * vorticity[b][at] - velocity[b][at] * vorticity[a][at];
  }
};

template <class Real>
struct CourantRate {
  Field<const Real> velocity;
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
  Field<Complex<Real>> velocity, start, sum, nonlinear;
  double viscosity;
  Real weight, reach;
  bool first, last;

  WEFT_HOST_DEVICE void operator()(const Mode& mode) const {
    const Index at = mode.offset;
    const Real k[3] = {static_cast<Real>(mode.k[0]), static_cast<Real>(mode.k[1]),
                       static_cast<Real>(mode.k[2])};
    const auto friction = static_cast<Real>(viscosity * mode.k2);
    const auto inverse = static_cast<Real>(mode.k2 > 0 ? 1 / mode.k2 : 0);
    const Complex<Real> n[3] = {nonlinear[0][at], nonlinear[1][at], nonlinear[2][at]};
    const Complex<Real> pressure = inverse * (k[0] * n[0] + k[1] * n[1] + k[2] * n[2]);
    for (int c = 0; c < 3; ++c) {
      const Complex<Real> u = velocity[c][at];
      const Complex<Real> begin = first ? u : start[c][at];
      const Complex<Real> slope = n[c] - k[c] * pressure - friction * u;
      const Complex<Real> total = (first ? u : sum[c][at]) + weight * slope;
      if (first) start[c][at] = u;
      if (!last) sum[c][at] = total;
      velocity[c][at] = last ? total : begin + reach * slope;
    }
  }
};

}  // namespace

template <class Real>
Solver<Real>::Solver(MPI_Comm comm, const Problem& problem, const Options& options, Batch batch,
                     double viscosity)
    : plan_(comm, problem, options),
      modes_(plan_),
      sweeps_(plan_),
      batch_(batch),
      viscosity_(viscosity) {
  for (std::size_t c = 0; c < 3; ++c) {
    const std::vector<double> k = modes_.wavenumbers(static_cast<int>(c));
    wavenumbers_[c] = PlanArray<Real>(plan_, static_cast<Index>(k.size()));
    wavenumbers_[c].copy_from(std::vector<Real>(k.begin(), k.end()));
    for (auto* field : {&velocity_, &start_, &sum_, &nonlinear_}) {
      (*field)[c] = PlanArray<Number>(plan_, plan_.output().allocation_size);
    }
    for (auto* field : {&velocity_at_, &vorticity_at_}) {
      (*field)[c] = PlanArray<Real>(plan_, plan_.input().allocation_size);
    }
  }
}

template <class Real>
std::vector<std::complex<Real>> Solver<Real>::velocity_on_host(std::size_t component) const {
  std::vector<Number> values(velocity_[component].size());
  velocity_[component].copy_to(values);
  return values;
}

template <class Real>
void Solver<Real>::evaluate() {
  if (batch_ == Batch::single) {
    evaluate_single();
  } else {
    evaluate_many();
  }
}

template <class Real>
void Solver<Real>::evaluate_single() {
  Curl<Real> curl{seen(velocity_), seen(wavenumbers_)};
  Cross<Real> cross{seen(velocity_at_), seen(vorticity_at_)};
  for (std::size_t c = 0; c < 3; ++c) {
    curl.only = static_cast<int>(c);
    plan_.backward(velocity_[c], velocity_at_[c]);
    plan_.backward(velocity_[c], vorticity_at_[c], on_input(device_function(curl)));
  }
  for (std::size_t c = 0; c < 3; ++c) {
    cross.only = static_cast<int>(c);
    plan_.forward(velocity_at_[c], nonlinear_[c], on_input(device_function(cross)));
  }
}

template <class Real>
void Solver<Real>::evaluate_many() {
  const Curl<Real> curl{seen(velocity_), seen(wavenumbers_)};
  const Cross<Real> cross{seen(velocity_at_), seen(vorticity_at_)};
  plan_.backward_many(velocity_, velocity_at_);
  plan_.backward_many(velocity_, vorticity_at_, on_input(device_function(curl)));
  plan_.forward_many(velocity_at_, nonlinear_, on_input(device_function(cross)));
}

template <class Real>
double Solver<Real>::courant_rate() {
  CourantRate<Real> rate_at{seen(velocity_at_), {}};
  for (std::size_t c = 0; c < 3; ++c) {
    rate_at.points_per_length[c] =
        static_cast<double>(plan_.info().input_points[static_cast<int>(c)]) /
        (2 * std::numbers::pi);
  }
  double rate = sweeps_.largest(plan_.input().allocation_size, rate_at);
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
      Advance<Real>{seen(velocity_), seen(start_), seen(sum_), seen(nonlinear_), viscosity_,
                    static_cast<Real>(weight_of[stage] * dt),
                    static_cast<Real>(reach_of[stage] * dt), stage == 0, stage + 1 == stages});
}

template class Solver<float>;
template class Solver<double>;

}  // namespace weft::navier_stokes
