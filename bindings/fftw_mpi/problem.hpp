#pragma once

#include <string>

#include "request.hpp"
#include "weft/options.hpp"
#include "weft/problem.hpp"

namespace weft::fftw_mpi {

/// A request in terms of weft. FFTW has a plan for each direction, weft one for both: requests that
/// are each other's inverses have the same problem.
struct Translation {
  std::string refusal;  ///< why weft does not serve it; empty: it does
  Problem problem{};
  Direction direction = Direction::forward;
};
Translation translate(const Request& request, int ranks, int rank);

/// FFTW_MEASURE, which is 0 and so what most programs ask for, may take one second; FFTW_PATIENT
/// and FFTW_EXHAUSTIVE as long as weft's tuning.
Options options_of(const Request& request);

/// Equal for requests that one plan with these options serves.
std::string key_of(const Request& request, const Translation& translation, const Options& options);

}  // namespace weft::fftw_mpi
