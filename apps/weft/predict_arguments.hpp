#pragma once

#include <string>
#include <vector>

#include "weft/axes.hpp"

namespace weft {

/// "1,2,4,...,512": numbers of nodes that increase; "..." goes on by the ratio of the two before
/// it, up to the number behind it. Throws Error for other texts.
std::vector<Index> parse_nodes(const std::string& text);

}  // namespace weft
