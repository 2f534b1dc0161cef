#pragma once

#include <string>

#include "weft/kinds.hpp"

namespace weft {

/// Adds what FFTW learnt in earlier runs to its planner, for all plans made afterwards with a rigor
/// above estimate. Local to the calling process. Throws Error when the file cannot be read.
void import_fftw_wisdom(const std::string& path, Precision precision);
/// Writes what FFTW has learnt so far. Throws Error when the file cannot be written.
void export_fftw_wisdom(const std::string& path, Precision precision);

}  // namespace weft
