#pragma once

#include <mpi.h>

#include <vector>

#include "solver.hpp"

namespace weft::navier_stokes {

/// Means over the box.
struct Balance {
  double energy;     ///< u * u / 2
  double enstrophy;  ///< w * w / 2; without forcing energy is lost at 2 nu times this rate
};

/// Collective.
template <class Real>
Balance balance_of(Solver<Real>& solver);

/// Collective. Energy of the first shells |k| = 0, 1, 2, ... (see Mode::shell), which add up to
/// that of the field if all are asked for.
template <class Real>
std::vector<double> shell_energies(Solver<Real>& solver, std::size_t shells);

/// Collective. Multiplies the modes of each of the first shells so that it has the energy given;
/// shells that have none, and those not given, are left alone.
template <class Real>
void set_shell_energies(Solver<Real>& solver, const std::vector<double>& energies);

}  // namespace weft::navier_stokes
