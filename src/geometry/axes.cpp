#include "weft/axes.hpp"

namespace weft {

namespace {

template <class T>
std::string joined(const Axes<T>& values, const char* separator) {
  std::string text;
  for (const T& value : values) {
    if (!text.empty()) text += separator;
    text += std::to_string(value);
  }
  return text;
}

}  // namespace

std::string to_string(const Extents& extents) {
  return joined(extents, "x");
}
std::string to_string(const AxisList& axes) {
  return "(" + joined(axes, ",") + ")";
}

Index product(const Extents& extents) {
  Index result = 1;
  for (Index extent : extents) {
    if (__builtin_mul_overflow(result, extent, &result)) {
      throw Error("an array of " + to_string(extents) + " points is too large for 64-bit indices");
    }
  }
  return result;
}

}  // namespace weft
