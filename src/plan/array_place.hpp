#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/side.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Where the array is between two passes: in one array, or in messages under way.
struct ArrayPlace {
  std::vector<Side> parts;  ///< one for each chunk, or for all
  std::vector<std::size_t> movements;
  Chunking chunking;
  bool cut = false;  ///< whether the boxes of this side are cut into chunks

  /// All of it in one array.
  static ArrayPlace of(const Side& side) {
    ArrayPlace place;
    place.parts = {side};
    return place;
  }
  /// Everything as one side.
  Side all() const {
    Side side = parts.front();
    if (side.is_array()) return side;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      side.pieces.insert(side.pieces.end(), parts[i].pieces.begin(), parts[i].pieces.end());
    }
    return side;
  }
  bool in_chunks(const LocalStage& stage) const {
    return movements.size() > 1 && cut && !stage.axes.contains(chunking.axis);
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
