#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/side.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Where the array is between two passes: in one array, or in messages under way.
struct ArrayPlace {
  std::vector<Side>
      sides;  ///< what each movement carries; of an array that has it all, one is enough
  std::vector<std::size_t> movements;
  std::vector<Index> parts;  ///< which part of this side's box a movement carries, or Block::whole
  Cut cut;                   ///< of this side's boxes

  /// The first and the last of the passes that work on a movement.
  struct Passes {
    Index first;
    Index last;

    bool include(Index pass) const { return first <= pass && pass <= last; }
  };

  /// All of it in one array.
  static ArrayPlace of(const Side& side) {
    ArrayPlace place;
    place.sides = {side};
    return place;
  }
  void add(std::size_t movement, Index part, const Side& side) {
    movements.push_back(movement);
    parts.push_back(part);
    sides.push_back(side);
  }
  /// Where a part lies, or all of it, as one side.
  Side side_of(Index part) const {
    Side side = sides.front();
    if (side.is_array()) return side;
    side.pieces.clear();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (part != Block::whole && parts[i] != Block::whole && parts[i] != part) continue;
      side.pieces.insert(side.pieces.end(), sides[i].pieces.begin(), sides[i].pieces.end());
    }
    return side;
  }
  Side all() const { return side_of(Block::whole); }
  /// Whether a stage can work on part after part.
  bool in_parts(const LocalStage& stage) const {
    return cut.count > 1 && !stage.axes.contains(cut.axis);
  }
  /// Of `count` passes, each of which works on a part or all of which work on the whole array.
  Passes passes_of(std::size_t movement, Index count, bool by_part) const {
    const Index part = by_part ? parts[movement] : Block::whole;
    return part == Block::whole ? Passes{0, count - 1} : Passes{part, part};
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
