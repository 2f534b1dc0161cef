#pragma once

#include <string>
#include <vector>

#include "adapter.hpp"
#include "local/fftw_kinds.hpp"
#include "local/fftw_names.hpp"

/// What the adapters of FFTW share.
namespace weft::bench {

inline unsigned fftw_flags(const std::string& rigor) {
  if (rigor == "patient") return FFTW_PATIENT;
  return rigor == "measure" ? FFTW_MEASURE : FFTW_ESTIMATE;
}

/// Kinds of all axes of a real-to-real case.
inline std::vector<fftw_r2r_kind> fftw_r2r_kinds(const Case& problem, Direction direction) {
  std::vector<fftw_r2r_kind> kinds;
  for (Kind kind : problem.kinds) {
    if (const auto known = fftw_r2r_kind_of(kind, direction)) kinds.push_back(*known);
  }
  return kinds;
}

}  // namespace weft::bench
