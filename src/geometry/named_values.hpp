#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Of "chunks=4, exchange=p2p" the names and values, in their order. Throws Error, which begins
/// with `what` and the text, where a part is not of the form name=value.
std::vector<std::pair<std::string, std::string>> named_values(const std::string& what,
                                                              const std::string& text);

}  // namespace weft
