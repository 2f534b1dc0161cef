#include "initial_fields.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "energy.hpp"

namespace weft::navier_stokes {

namespace {

using Vector = std::array<std::complex<double>, 3>;

/// Calls coefficient(mode) for the coefficients of every mode.
template <class Real, class Coefficient>
void set_modes(Solver<Real>& solver, const Coefficient& coefficient) {
  const Index size = solver.velocity().size;
  std::vector<std::complex<Real>> velocity(static_cast<std::size_t>(3 * size));
  const ModeGrid grid = solver.modes().on_host();
#pragma omp parallel for num_threads(solver.plan().info().threads)
  for (Index number = 0; number < grid.count(); ++number) {
    const Mode mode = grid.at(number);
    const Vector value = coefficient(mode);
    for (Index c = 0; c < 3; ++c) {
      velocity[static_cast<std::size_t>(c * size + mode.offset)] =
          static_cast<std::complex<Real>>(value[static_cast<std::size_t>(c)]);
    }
  }
  solver.set_velocity(velocity);
}

/// The output function of the generator SplitMix64, which mixes all bits.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// Angles of [0, 2 pi) that belong to a wavevector.
class Angles {
 public:
  Angles(std::uint64_t seed, const std::array<double, 3>& k) : state_(mixed(seed)) {
    for (double component : k) {
      state_ = mixed(state_ + increment + std::bit_cast<std::uint64_t>(component + 0.0));
    }
  }

  double next() {
    state_ += increment;
    return 2 * std::numbers::pi * std::ldexp(static_cast<double>(mixed(state_) >> 11), -53);
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;

  std::uint64_t state_;
};

/// Of unit length and normal to k, which is not 0.
Vector random_normal(const std::array<double, 3>& k, std::uint64_t seed) {
  Angles angles(seed, k);
  const double share = angles.next();
  const auto alpha = std::polar(1.0, angles.next()) * std::cos(share);
  const auto beta = std::polar(1.0, angles.next()) * std::sin(share);
  const double flat = std::hypot(k[0], k[1]), length = std::hypot(flat, k[2]);
  if (flat == 0) return {alpha, beta, 0};
  return {(alpha * k[1] + beta * (k[0] * k[2] / length)) / flat,
          (beta * (k[1] * k[2] / length) - alpha * k[0]) / flat, -beta * (flat / length)};
}

/// Whether the field at -k is drawn, and that at k is its conjugate: a real field where the halved
/// axis has both.
bool follows_from_opposite(const std::array<double, 3>& k) {
  return k[2] == 0 && (k[1] < 0 || (k[1] == 0 && k[0] < 0));
}

}  // namespace

template <class Real>
void set_taylor_green(Solver<Real>& solver) {
  set_modes(solver, [](const Mode& mode) -> Vector {
    for (double k : mode.k) {
      if (std::abs(k) != 1) return {};
    }
    return {std::complex(0.0, -mode.k[0] / 8), std::complex(0.0, mode.k[1] / 8), 0};
  });
}

std::vector<double> model_spectrum(Index highest, double peak, double energy) {
  std::vector<double> energies;
  double sum = 0;
  for (Index shell = 0; shell <= highest; ++shell) {
    const auto k = static_cast<double>(shell);
    energies.push_back(k * k * k * k * std::exp(-2 * (k / peak) * (k / peak)));
    sum += energies.back();
  }
  for (double& value : energies) value *= energy / sum;
  return energies;
}

template <class Real>
void set_random(Solver<Real>& solver, const std::vector<double>& energies, std::uint64_t seed) {
  set_modes(solver, [&](const Mode& mode) -> Vector {
    if (mode.k2 == 0 || mode.shell() >= energies.size()) return {};
    if (!follows_from_opposite(mode.k)) return random_normal(mode.k, seed);
    Vector value = random_normal({-mode.k[0], -mode.k[1], 0.0}, seed);
    for (auto& component : value) component = std::conj(component);
    return value;
  });
  set_shell_energies(solver, energies);
}

template void set_taylor_green(Solver<float>&);
template void set_taylor_green(Solver<double>&);
template void set_random(Solver<float>&, const std::vector<double>&, std::uint64_t);
template void set_random(Solver<double>&, const std::vector<double>&, std::uint64_t);

}  // namespace weft::navier_stokes
