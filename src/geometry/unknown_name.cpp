#include "geometry/unknown_name.hpp"

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

/// Letters to insert, delete or replace: Levenshtein's distance.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

Error unknown_name(const std::string& what, const std::string& text,
                   const std::vector<std::string_view>& known) {
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string_view name : known) {
    const std::size_t needed = edits(text, name);
    if (needed >= fewest) continue;
    fewest = needed;
    nearest = name;
  }
  const std::string hint = nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
  return Error(what + " '" + text + "' is unknown" + hint + "; known: " + comma_list(known));
}

}  // namespace weft
