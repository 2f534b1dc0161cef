#include "lengths.hpp"

#include <charconv>

#include "weft/error.hpp"

namespace weft {

Extents parse_lengths(const std::string& text, const std::string& name) {
  Extents lengths;
  const char* at = text.data();
  const char* end = at + text.size();
  while (lengths.size() < max_axes) {
    Index length = 0;
    const auto [next, status] = std::from_chars(at, end, length);
    if (status != std::errc{}) break;
    lengths.push_back(length);
    at = next;
    if (at == end) return lengths;
    if (*at++ != 'x') break;
  }
  throw Error(name + " '" + text + "': numbers are needed, such as 2x4");
}

}  // namespace weft
