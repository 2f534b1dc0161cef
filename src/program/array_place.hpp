#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pass/array_view.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Where the array is between two passes: in one array, or in messages under way.
struct ArrayPlace {
  std::vector<std::size_t> redistributions;
  std::vector<Index> parts;     ///< what of this side's box each of them carries, as in Chunk
  std::vector<PassSide> sides;  ///< where that lies; without redistributions the one array
  Cut cut;                      ///< of this side's boxes

  /// The first and the last of the passes that work on what a redistribution carries.
  struct Passes {
    Index first;
    Index last;

    bool include(Index pass) const { return first <= pass && pass <= last; }
  };

  /// All of it in one array.
  static ArrayPlace of(const PassSide& side) {
    ArrayPlace place;
    place.sides = {side};
    return place;
  }
  void add(std::size_t redistribution, Index part, const PassSide& side) {
    redistributions.push_back(redistribution);
    parts.push_back(part);
    sides.push_back(side);
  }
  /// Where a part lies, or all of it, as one side.
  PassSide side_of(Index part) const {
    PassSide side = sides.front();
    if (side.is_array()) return side;
    side.views.clear();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (part != Chunk::whole && parts[i] != Chunk::whole && parts[i] != part) continue;
      side.views.insert(side.views.end(), sides[i].views.begin(), sides[i].views.end());
    }
    return side;
  }
  PassSide all() const { return side_of(Chunk::whole); }
  /// Whether a stage can work on part after part.
  bool in_parts(const LocalStage& stage) const {
    return cut.count > 1 && !stage.axes.contains(cut.axis);
  }
  /// Those of the i-th redistribution, of `count` passes that work on this side part after part, or
  /// each on all of it.
  Passes passes_of(std::size_t i, Index count, bool by_part) const {
    const Index part = by_part ? parts[i] : Chunk::whole;
    return part == Chunk::whole ? Passes{0, count - 1} : Passes{part, part};
  }
};

/// What is done between two places, in words.
inline std::string stage_text(const LocalStage& stage, const ArrayPlace& from,
                              const ArrayPlace& to) {
  std::string axes;
  for (int axis : stage.axes) axes += (axes.empty() ? "" : ",") + std::to_string(axis);
  std::string text = axes.empty() ? "copy" : "transform " + axes;
  if (!from.all().is_array()) text = "unpack, " + text;
  if (!to.all().is_array()) text += ", pack";
  return text;
}

}  // namespace weft
