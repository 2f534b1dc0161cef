#include "program/workspace.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "device/alignment.hpp"

namespace weft {

namespace {

bool together(const Placement::Lifetime& a, const Placement::Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// The lowest free place for a piece within `capacity` bytes of one region.
std::optional<Index> find_place(const std::vector<Placement::Lifetime>& pieces,
                                const std::vector<Placement::Place>& places, int region,
                                Index capacity) {
  const Placement::Lifetime& piece = pieces[places.size()];
  std::vector<std::size_t> conflicts;
  for (std::size_t other = 0; other < places.size(); ++other) {
    if (places[other].region == region && together(pieces[other], piece))
      conflicts.push_back(other);
  }
  std::sort(conflicts.begin(), conflicts.end(),
            [&](std::size_t a, std::size_t b) { return places[a].offset < places[b].offset; });
  Index at = 0;
  for (std::size_t other : conflicts) {
    if (at + piece.bytes <= places[other].offset) break;
    at = std::max(at, places[other].offset + aligned_up(pieces[other].bytes));
  }
  return at + piece.bytes <= capacity ? std::optional<Index>(at) : std::nullopt;
}

}  // namespace

Placement place(const std::vector<Placement::Lifetime>& pieces,
                const std::vector<Placement::Region>& regions) {
  constexpr Index unlimited = std::numeric_limits<Index>::max() / 2;
  Placement layout;
  for (const Placement::Lifetime& piece : pieces) {
    std::optional<Placement::Place> found;
    for (std::size_t i = 0; i < regions.size() && !found; ++i) {
      const Placement::Region& region = regions[i];
      if (piece.first < region.from || piece.last >= region.until) continue;
      const int number = static_cast<int>(i);
      if (const auto at = find_place(pieces, layout.places, number, region.bytes)) {
        found = Placement::Place{number, *at};
      }
    }
    if (!found) {
      found = Placement::Place{-1, *find_place(pieces, layout.places, -1, unlimited)};
      layout.bytes = std::max(layout.bytes, found->offset + aligned_up(piece.bytes));
    }
    layout.places.push_back(*found);
  }
  return layout;
}

}  // namespace weft
