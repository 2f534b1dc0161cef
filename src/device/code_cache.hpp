#pragma once

#include <optional>
#include <string>

namespace weft {

/// Code that was compiled at run time, on disk: one file for each key, in the folder in the
/// environment variable WEFT_KERNEL_CACHE, or else `kernels` in the cache. An empty variable keeps
/// nothing. Processes share the folder: files appear whole, and what is found in them is checked.
/// Nothing: there is no sound file.
std::optional<std::string> find_code(const std::string& key);
/// Does nothing where it cannot be kept.
void keep_code(const std::string& key, const std::string& code);

}  // namespace weft
