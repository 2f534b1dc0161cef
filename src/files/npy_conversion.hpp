#pragma once

#include <string>
#include <string_view>

namespace weft {

/// What a file of another format is, and how to make a NumPy file of it: "is a NumPy archive
/// (.npz): save one of its arrays with python3 -c ...". Empty for others.
std::string other_format(std::string_view beginning, const std::string& path);

/// "; convert it with python3 -c ...", empty for types of elements that cannot be converted.
std::string conversion_hint(const std::string& dtype, const std::string& path);

}  // namespace weft
