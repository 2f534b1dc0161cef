#pragma once

#include <string>
#include <string_view>

namespace weft {

// What files of weft in the user's cache have in common.

/// Where weft keeps a file or a folder of this name: in `$XDG_CACHE_HOME/weft`, or else
/// `~/.cache/weft`. Empty: there is neither.
std::string path_in_cache(const std::string& name);

/// 16 hexadecimal digits that change with any change of the text, as far as chance allows.
std::string checksum(std::string_view text);

}  // namespace weft
