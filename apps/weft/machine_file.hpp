#pragma once

#include <string>

#include "schedule/machine.hpp"

namespace weft {

/// What `weft limits --machine` or `weft calibrate` has written. Throws Error, with the path,
/// unless that is what the file holds.
Machine read_machine(const std::string& path);

}  // namespace weft
