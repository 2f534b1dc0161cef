#pragma once

#include <string>

namespace weft {

/// "12.5 MiB"
std::string human_bytes(double bytes);
/// "1.25 ms"
std::string human_seconds(double seconds);
/// The shortest text that is read as exactly this number.
std::string exact_text(double number);

}  // namespace weft
