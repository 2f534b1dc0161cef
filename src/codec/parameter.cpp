#include "codec/parameter.hpp"

#include <charconv>
#include <cmath>

#include "weft/error.hpp"

namespace weft {

int parse_parameter(const std::string& codec, const std::string& text, const std::string& meaning,
                    ParameterRange range, CodecElement element) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, number);
  if (stop != end || fault != std::errc() || number < range.least || number > range.most) {
    throw Error("codec '" + codec + "': " + meaning + " must be between " +
                std::to_string(range.least) + " and " + std::to_string(range.most) + " for " +
                to_string(element.precision));
  }
  return number;
}

std::vector<std::string> parameters(ParameterRange range) {
  std::vector<std::string> texts;
  for (int number = range.least; number <= range.most; ++number) {
    texts.push_back(std::to_string(number));
  }
  return texts;
}

double rounding_error(int mantissa_bits) {
  return std::ldexp(0.212, -mantissa_bits);
}

}  // namespace weft
