#pragma once

#include <string>
#include <vector>

#include "schedule/machine.hpp"

namespace weft {

/// "1,2,4,...,512": numbers of nodes that increase; "..." goes on by the ratio of the two before
/// it, up to the number behind it. Throws Error for other texts.
std::vector<Index> parse_nodes(const std::string& text);

/// "network.bandwidth=2e10" sets a figure, "network.bandwidth=4x" multiplies it. Throws Error for
/// other texts and for figures that there are not.
void set_figure(Machine& machine, const std::string& text);

}  // namespace weft
