#include "geometry/named_values.hpp"

#include <algorithm>
#include <string_view>

#include "weft/error.hpp"

namespace weft {

namespace {

std::string without_spaces_around(std::string_view text) {
  constexpr const char* spaces = " \t\n";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(spaces) + 1 - begin));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> named_values(const std::string& what,
                                                              const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (without_spaces_around(text).empty()) return pairs;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string pair = without_spaces_around(text.substr(begin, end - begin));
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      throw Error(what + " '" + text + "': '" + pair + "' is not of the form name=value");
    }
    pairs.emplace_back(without_spaces_around(pair.substr(0, equals)),
                       without_spaces_around(pair.substr(equals + 1)));
    begin = end + 1;
  }
  return pairs;
}

}  // namespace weft
