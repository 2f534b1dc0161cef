#pragma once

#include <string>
#include <vector>

#include "case_options.hpp"
#include "prediction.hpp"

namespace weft {

/// What `weft predict` has found.
struct PredictReport {
  CaseOptions given;
  bool own_layouts = true;
  Fit fit;
  /// For each number of nodes one prediction, or those of all process grids, the fastest first.
  std::vector<std::vector<Prediction>> grids;
};

/// For people.
std::string text_of(const PredictReport& report);
std::string json_text_of(const PredictReport& report);

/// A page without references to others: a chart of the time over the number of nodes, and the
/// numbers.
std::string page_of(const PredictReport& report);

/// "forward r2c f64 of 2048x2048x2048"
std::string title_of(const PredictReport& report);
/// "slab:0 -> slab:1, 4 ranks per node"
std::string circumstances_of(const PredictReport& report);
/// The table: headings, and a row for each prediction.
std::vector<std::string> headings_of_predictions();
std::vector<std::vector<std::string>> cells_of(const PredictReport& report);
/// What the intervals are made of.
std::string note_of(const PredictReport& report);

}  // namespace weft
