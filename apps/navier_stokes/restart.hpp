#pragma once

#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "solver.hpp"

namespace weft::navier_stokes {

/// What continuing a run takes besides its velocity.
struct Progress {
  Index step = 0;
  double time = 0;
  std::vector<double> held_energies;  ///< of the first shells, by forcing; empty without it
};

/// Collective. Writes PREFIX-STEP.npy, the coefficients of the velocity (component, x, y, z), and
/// then PREFIX-STEP.json, which refers to it. Each appears only when it is complete.
template <class Real>
void save(const Communicator& comm, const std::string& prefix, const Solver<Real>& solver,
          const Progress& progress);

/// Collective. Reads the velocity of the same modes in the same precision, whatever ranks and
/// layouts it was saved with. `path` is that of the .json file. Throws Error on every rank.
template <class Real>
Progress load(const Communicator& comm, const std::string& path, Solver<Real>& solver);

}  // namespace weft::navier_stokes
