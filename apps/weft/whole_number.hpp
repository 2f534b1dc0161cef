#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace weft {

/// For CLI::Option::check: an empty text for a decimal whole number of 63 bits, else what is wrong.
/// Without it CLI11 takes 010 for 8 and replaces what is too large by the largest number.
inline std::string check_whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc{} && end == text.data() + text.size()) {
    const std::size_t first = text[0] == '-' ? 1 : 0;
    if (text[first] != '0' || text.size() == first + 1) return {};
  }
  return "'" + text + "' is not a decimal whole number of at most 63 bits";
}

}  // namespace weft
