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
double energy_of(const Solver<Real>& solver, const Mode& mode) {
  double squares = 0;
  for (const auto& component : solver.velocity()) {
    squares += std::norm(std::complex<double>(component[static_cast<std::size_t>(mode.offset)]));
  }
  return 0.5 * mode.weight * squares;
}

}  // namespace

template <class Real>
Balance balance_of(const Solver<Real>& solver) {
  auto sums = solver.modes().template sum<2>([&](const Mode& mode) {
    const double energy = energy_of(solver, mode);
    return std::array{energy, mode.k2 * energy};
  });
  sum_over_ranks(sums, solver.plan().communicator());
  return {sums[0], sums[1]};
}

template <class Real>
std::vector<double> shell_energies(const Solver<Real>& solver, std::size_t shells) {
  std::vector<double> energies(shells, 0.0);
  const double end = (static_cast<double>(shells) - 0.5) * (static_cast<double>(shells) - 0.5);
  solver.modes().in_order([&](const Mode& mode) {
    if (mode.k2 < end) energies[mode.shell()] += energy_of(solver, mode);
  });
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
  const double end =
      (static_cast<double>(energies.size()) - 0.5) * (static_cast<double>(energies.size()) - 0.5);
  solver.modes().for_each([&](const Mode& mode) {
    if (mode.k2 >= end) return;
    for (auto& component : solver.velocity()) {
      component[static_cast<std::size_t>(mode.offset)] *= factors[mode.shell()];
    }
  });
}

template Balance balance_of(const Solver<float>&);
template Balance balance_of(const Solver<double>&);
template std::vector<double> shell_energies(const Solver<float>&, std::size_t);
template std::vector<double> shell_energies(const Solver<double>&, std::size_t);
template void set_shell_energies(Solver<float>&, const std::vector<double>&);
template void set_shell_energies(Solver<double>&, const std::vector<double>&);

}  // namespace weft::navier_stokes
