#pragma once

#include <charconv>
#include <string>

#include "weft/error.hpp"

namespace weft {

/// What follows the colon in the name of an exchange, as in "node_aware:2". Throws Error unless it
/// is a positive integer; `what` is "the number of leaders".
template <class Number>
Number positive_parameter(const std::string& exchange, const std::string& parameter,
                          const std::string& what) {
  Number number = 0;
  const char* const end = parameter.data() + parameter.size();
  const auto [read_to, error] = std::from_chars(parameter.data(), end, number);
  if (error == std::errc{} && read_to == end && number > 0) return number;
  throw Error("exchange '" + exchange + ":" + parameter + "': " + what +
              " must be a positive integer");
}

}  // namespace weft
