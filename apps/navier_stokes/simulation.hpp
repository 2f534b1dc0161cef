#pragma once

#include "exchange/communicator.hpp"
#include "settings.hpp"

namespace weft::navier_stokes {

/// Collective. Runs a flow from its initial field or a restart file to its end, and writes what was
/// asked for. Returns the exit status; throws Error on every rank.
int simulate(const Settings& settings, const Communicator& comm);

}  // namespace weft::navier_stokes
