#include "energy.hpp"

#include <cmath>
#include <span>

namespace weft::navier_stokes {

namespace {

void sum_over_ranks(std::span<double> values, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                comm);
}

template <class Real>
struct EnergyTerm {
  Fields<Complex<Real>> velocity;

  WEFT_HOST_DEVICE double operator()(const Mode& mode) const {
    double squares = 0;
    for (int c = 0; c < 3; ++c) {
      const Complex<Real> u = velocity[c][mode.offset];
      squares += norm(Complex<double>{u.re, u.im});
    }
    return 0.5 * mode.weight * squares;
  }
};

template <class Real>
struct BalanceTerm {
  EnergyTerm<Real> energy_of;

  WEFT_HOST_DEVICE std::array<double, 2> operator()(const Mode& mode) const {
    const double energy = energy_of(mode);
    return {energy, mode.k2 * energy};
  }
};

template <class Real>
struct ScaleShells {
  Fields<Complex<Real>> velocity;
  const Real* factors;
  std::size_t shells;

  WEFT_HOST_DEVICE void operator()(const Mode& mode) const {
    const std::size_t shell = mode.shell();
    if (shell >= shells) return;
    for (int c = 0; c < 3; ++c) velocity[c][mode.offset] *= factors[shell];
  }
};

}  // namespace

template <class Real>
Balance balance_of(Solver<Real>& solver) {
  auto sums = solver.sweeps().template sum_over_modes<2>(solver.modes().in_place(),
                                                         BalanceTerm<Real>{{solver.velocity()}});
  sum_over_ranks(sums, solver.plan().communicator());
  return {sums[0], sums[1]};
}

template <class Real>
std::vector<double> shell_energies(Solver<Real>& solver, std::size_t shells) {
  std::vector<double> energies = solver.sweeps().sum_over_shells(
      solver.modes().in_place(), shells, EnergyTerm<Real>{solver.velocity()});
  sum_over_ranks(energies, solver.plan().communicator());
  return energies;
}

template <class Real>
void set_shell_energies(Solver<Real>& solver, const std::vector<double>& energies) {
  if (energies.empty()) return;
  const std::vector<double> present = shell_energies(solver, energies.size());
  std::vector<Real> factors(energies.size(), Real{1});
  for (std::size_t shell = 0; shell < energies.size(); ++shell) {
    if (present[shell] > 0) {
      factors[shell] = static_cast<Real>(std::sqrt(energies[shell] / present[shell]));
    }
  }
  PlanArray<Real> copy(solver.plan(), static_cast<Index>(factors.size()));
  copy.copy_from(factors);
  solver.sweeps().for_each_mode(solver.modes().in_place(),
                                ScaleShells<Real>{solver.velocity(), copy.data(), factors.size()});
  solver.sweeps().wait();  // the factors go
}

template Balance balance_of(Solver<float>&);
template Balance balance_of(Solver<double>&);
template std::vector<double> shell_energies(Solver<float>&, std::size_t);
template std::vector<double> shell_energies(Solver<double>&, std::size_t);
template void set_shell_energies(Solver<float>&, const std::vector<double>&);
template void set_shell_energies(Solver<double>&, const std::vector<double>&);

}  // namespace weft::navier_stokes
