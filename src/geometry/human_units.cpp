#include "geometry/human_units.hpp"

#include <charconv>
#include <cstdio>

namespace weft {

namespace {

std::string formatted(const char* format, double value, const char* unit) {
  char text[32];
  std::snprintf(text, sizeof text, format, value, unit);
  return text;
}

}  // namespace

std::string human_bytes(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  return formatted(unit == 0 ? "%.0f %s" : "%.4g %s", bytes, units[unit]);
}

std::string human_seconds(double seconds) {
  if (seconds < 1e-3) return formatted("%.3g %s", seconds * 1e6, "us");
  if (seconds < 1) return formatted("%.3g %s", seconds * 1e3, "ms");
  return formatted("%.3g %s", seconds, "s");
}

std::string exact_text(double number) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

}  // namespace weft
