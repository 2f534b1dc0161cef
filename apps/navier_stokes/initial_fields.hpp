#pragma once

#include <cstdint>
#include <vector>

#include "solver.hpp"

namespace weft::navier_stokes {

/// u = (sin x cos y cos z, -cos x sin y cos z, 0)
template <class Real>
void set_taylor_green(Solver<Real>& solver);

/// Energies of shells 0 ... highest proportional to k^4 exp(-2 (k / peak)^2), with the given sum.
std::vector<double> model_spectrum(Index highest, double peak, double energy);

/// Collective. A random field without divergence in every mode of the first shells (after Rogallo,
/// 1981), with the given energies of the shells. Depends on the seed, not on ranks and layouts.
template <class Real>
void set_random(Solver<Real>& solver, const std::vector<double>& energies, std::uint64_t seed);

}  // namespace weft::navier_stokes
