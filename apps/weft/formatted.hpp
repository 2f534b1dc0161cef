#pragma once

#include <cstdio>
#include <string>

namespace weft {

/// What std::printf would print.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)), ' ');
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

}  // namespace weft
