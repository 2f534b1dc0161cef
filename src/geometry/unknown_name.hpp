#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/error.hpp"

namespace weft {

/// "one, two, three"
template <class Items>
std::string comma_list(const Items& items) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += item;
  }
  return text;
}

/// "precision 'f16' is unknown (did you mean 'f64'?); known: f32, f64", of which the middle is
/// there where a name is near.
Error unknown_name(const std::string& what, const std::string& text,
                   const std::vector<std::string_view>& known);

}  // namespace weft
