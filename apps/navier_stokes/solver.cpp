#include "solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace weft::navier_stokes {

namespace {

constexpr int stages = 4;
/// What each stage counts in the step, and how far its slope leads to the next one.
constexpr double weight_of[stages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
constexpr double reach_of[stages] = {0.5, 0.5, 1, 0};

}  // namespace

template <class Real>
Solver<Real>::Solver(const MpiProblem& problem, const Options& options, Batch batch,
                     double viscosity)
    : plan_(problem, options), modes_(plan_), batch_(batch), viscosity_(viscosity) {
  for (std::size_t c = 0; c < 3; ++c) {
    const auto& k = modes_.wavenumbers(static_cast<int>(c));
    wavenumbers_[c].assign(k.begin(), k.end());
    for (auto* field : {&velocity_, &start_, &sum_, &nonlinear_}) {
      (*field)[c].resize(static_cast<std::size_t>(plan_.output().size));
    }
    for (auto* field : {&velocity_at_, &vorticity_at_}) {
      (*field)[c].resize(static_cast<std::size_t>(plan_.input().size));
    }
  }
}

/// i k x u
template <class Real>
std::complex<Real> Solver<Real>::curl(std::size_t component, const Point& point) const {
  const std::size_t a = (component + 1) % 3, b = (component + 2) % 3;
  const auto k = [&](std::size_t axis) {
    return wavenumbers_[axis][static_cast<std::size_t>(point.index[static_cast<int>(axis)])];
  };
  const auto at = static_cast<std::size_t>(point.offset);
  const Complex product = k(a) * velocity_[b][at] - k(b) * velocity_[a][at];
  return {-product.imag(), product.real()};
}

/// u x w
template <class Real>
Real Solver<Real>::cross(std::size_t component, Index offset) const {
  const std::size_t a = (component + 1) % 3, b = (component + 2) % 3;
  const auto at = static_cast<std::size_t>(offset);
  return velocity_at_[a][at] * vorticity_at_[b][at] - velocity_at_[b][at] * vorticity_at_[a][at];
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
  for (std::size_t c = 0; c < 3; ++c) {
    plan_.backward(velocity_[c], velocity_at_[c]);
    plan_.backward(velocity_[c], vorticity_at_[c],
                   on_input([&](Complex& value, const Point& point) { value = curl(c, point); }));
  }
  for (std::size_t c = 0; c < 3; ++c) {
    plan_.forward(velocity_at_[c], nonlinear_[c], on_input([&](Real& value, const Point& point) {
                    value = cross(c, point.offset);
                  }));
  }
}

template <class Real>
void Solver<Real>::evaluate_many() {
  plan_.backward_many(velocity_, velocity_at_);
  plan_.backward_many(velocity_, vorticity_at_, on_input([&](Complex& value, const Point& point) {
                        value = curl(static_cast<std::size_t>(point.field), point);
                      }));
  plan_.forward_many(velocity_at_, nonlinear_, on_input([&](Real& value, const Point& point) {
                       value = cross(static_cast<std::size_t>(point.field), point.offset);
                     }));
}

template <class Real>
double Solver<Real>::courant_rate() const {
  std::array<double, 3> points_per_length{};
  for (std::size_t c = 0; c < 3; ++c) {
    points_per_length[c] =
        static_cast<double>(plan_.points()[static_cast<int>(c)]) / (2 * std::numbers::pi);
  }
  double rate = 0;
  const std::size_t count = velocity_at_[0].size();
#pragma omp parallel for reduction(max : rate) num_threads(plan_.threads())
  for (std::size_t at = 0; at < count; ++at) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      sum += std::abs(static_cast<double>(velocity_at_[c][at])) * points_per_length[c];
    }
    rate = std::max(rate, sum);
  }
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

/// Projects, adds friction and goes on to the next stage in one sweep over the arrays.
template <class Real>
void Solver<Real>::advance(int stage, double dt) {
  const auto weight = static_cast<Real>(weight_of[stage] * dt);
  const auto reach = static_cast<Real>(reach_of[stage] * dt);
  modes_.for_each([&](const Mode& mode) {
    const auto at = static_cast<std::size_t>(mode.offset);
    const std::array k{static_cast<Real>(mode.k[0]), static_cast<Real>(mode.k[1]),
                       static_cast<Real>(mode.k[2])};
    const auto friction = static_cast<Real>(viscosity_ * mode.k2);
    const auto inverse = static_cast<Real>(mode.k2 > 0 ? 1 / mode.k2 : 0);
    const Complex pressure =
        inverse * (k[0] * nonlinear_[0][at] + k[1] * nonlinear_[1][at] + k[2] * nonlinear_[2][at]);
    for (std::size_t c = 0; c < 3; ++c) {
      Complex& u = velocity_[c][at];
      const Complex slope = nonlinear_[c][at] - k[c] * pressure - friction * u;
      if (stage == 0) start_[c][at] = sum_[c][at] = u;
      sum_[c][at] += weight * slope;
      u = stage + 1 < stages ? start_[c][at] + reach * slope : sum_[c][at];
    }
  });
}

template class Solver<float>;
template class Solver<double>;

}  // namespace weft::navier_stokes
