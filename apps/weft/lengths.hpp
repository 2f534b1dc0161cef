#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// "2x4": numbers for what `name` says. Throws Error for other texts.
Extents parse_lengths(const std::string& text, const std::string& name);

}  // namespace weft
