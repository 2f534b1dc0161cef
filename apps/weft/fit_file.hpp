#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "fit.hpp"

namespace weft {

/// The figures of a machine under their names, and its ranks per node unless there is one node.
nlohmann::ordered_json json_of(const Machine& machine);

/// A machine file with, under "fit", how far predictions may be off.
void write_fit(const std::string& path, const Fit& fit);

/// A machine file. What `weft limits` has measured has no uncertainty of a fit;
/// Uncertainty::assumed then. Throws Error, with the path, unless that is what the file holds.
Fit read_fit(const std::string& path);

}  // namespace weft
