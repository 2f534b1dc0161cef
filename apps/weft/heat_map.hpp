#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct HeatCell {
  double seconds = 0;
  double relative = 1;  ///< to what the best cell has; it gives the color
  bool is_measured = false;
  bool is_best = false;
  std::string remark{};
};

/// Times by two settings, of which not all go together.
struct HeatMap {
  std::string down;    ///< title of the axis
  std::string across;  ///< title of the other one
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::map<std::pair<std::string, std::string>, HeatCell> cells;  ///< by row and column
};

/// From relative times to colors, logarithmic: bright is fast.
struct HeatScale {
  double low;
  double high;  ///< at most 4; beyond it all is alike

  /// For all cells of several maps.
  explicit HeatScale(const std::vector<HeatMap>& maps);
  /// In [0, 1].
  double place(double relative) const;
};

/// A table of HTML: measured cells are filled, others hatched, and where there is no cell it is
/// empty.
std::string html_of(const HeatMap& map, const HeatScale& scale);
/// What fillings and colors mean.
std::string legend_of(const HeatScale& scale);

}  // namespace weft
