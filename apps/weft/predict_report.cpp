#include "predict_report.hpp"

#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fit_file.hpp"
#include "geometry/human_units.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string grid_text(const Prediction& one) {
  return one.grid.empty() ? "auto" : to_string(one.grid);
}

std::string percent(double share) {
  char text[40];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
  return text;
}

}  // namespace

std::string title_of(const PredictReport& report) {
  return "forward " + report.given.title();
}

std::string circumstances_of(const PredictReport& report) {
  return (report.own_layouts ? "layouts of the command"
                             : report.given.input + " -> " + report.given.output_or_default()) +
         ", " + std::to_string(report.fit.machine.ranks_per_node) + " ranks per node";
}

std::string note_of(const PredictReport& report) {
  return report.fit.uncertainty.names.empty()
             ? "Intervals are a factor of 1.3 each way: the parameters of the machine were not "
               "fitted "
               "to measurements (weft calibrate)."
             : "According to the fit, intervals contain nine measurements of ten.";
}

std::vector<std::string> headings_of_predictions() {
  return {"nodes",    "ranks",      "grid",          "chunks",  "predicted",
          "interval", "efficiency", "communication", "schedule"};
}

std::vector<std::vector<std::string>> cells_of(const PredictReport& report) {
  std::vector<std::vector<std::string>> rows;
  const Prediction& first = report.grids.front().front();
  for (const auto& of_nodes : report.grids) {
    for (const Prediction& one : of_nodes) {
      rows.push_back({std::to_string(one.nodes), std::to_string(one.ranks), grid_text(one),
                      std::to_string(one.chunks), human_seconds(one.seconds),
                      human_seconds(one.within.low) + " - " + human_seconds(one.within.high),
                      percent(efficiency(one, first)), percent(one.communication), one.schedule});
    }
  }
  return rows;
}

std::string text_of(const PredictReport& report) {
  std::string text = title_of(report) + ", " + circumstances_of(report) + "\n";
  auto rows = cells_of(report);
  rows.insert(rows.begin(), headings_of_predictions());
  constexpr int widths[] = {7, 9, 11, 6, 10, 21, 10, 13};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < std::size(widths); ++i) {
      char cell[100];
      std::snprintf(cell, sizeof cell, "%*s ", widths[i], row[i].c_str());
      text += cell;
    }
    text += " " + row.back() + "\n";
  }
  return text + note_of(report) + "\n";
}

std::string json_text_of(const PredictReport& report) {
  Json json{{"shape", report.given.shape},
            {"kinds", report.given.kinds},
            {"precision", report.given.precision},
            {"in", report.own_layouts ? "auto" : report.given.input},
            {"out", report.own_layouts ? "auto" : report.given.output_or_default()},
            {"machine", json_of(report.fit.machine)},
            {"fitted", !report.fit.uncertainty.names.empty()},
            {"predictions", Json::array()}};
  const Prediction& first = report.grids.front().front();
  for (const auto& of_nodes : report.grids) {
    for (const Prediction& one : of_nodes) {
      json["predictions"].push_back({{"nodes", one.nodes},
                                     {"ranks", one.ranks},
                                     {"grid", grid_text(one)},
                                     {"chunks", one.chunks},
                                     {"schedule", one.schedule},
                                     {"seconds", one.seconds},
                                     {"low", one.within.low},
                                     {"high", one.within.high},
                                     {"efficiency", efficiency(one, first)},
                                     {"communication_share", one.communication}});
    }
  }
  return json.dump(1) + "\n";
}

}  // namespace weft
