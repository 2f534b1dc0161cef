#include "predict_report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "fit_file.hpp"
#include "geometry/human_units.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string grid_text(const Prediction& one) {
  return one.grid.empty() ? "auto" : to_string(one.grid);
}

}  // namespace

std::string title_of(const PredictReport& report) {
  std::string shape;
  for (const Index length : report.given.shape) {
    shape += (shape.empty() ? "" : "x") + std::to_string(length);
  }
  return "forward " + report.given.kinds + " " + report.given.precision + " of " + shape;
}

std::string note_of(const PredictReport& report) {
  return report.fit.uncertainty.names.empty()
             ? "Intervals are a factor of 1.3 each way: the figures come without a fit "
               "(weft calibrate)."
             : "Intervals hold a measurement nine times of ten, by the fit of the figures.";
}

std::string text_of(const PredictReport& report) {
  std::string text =
      title_of(report) + ", " +
      (report.own_layouts ? "layouts of the command"
                          : report.given.input + " -> " + report.given.output_or_default()) +
      ", " + std::to_string(report.fit.machine.ranks_per_node) + " ranks per node\n";
  char line[300];
  std::snprintf(line, sizeof line, "%7s %9s %11s %6s %10s %21s %10s %13s  %s\n", "nodes", "ranks",
                "grid", "chunks", "predicted", "interval", "efficiency", "communication",
                "schedule");
  text += line;
  const Prediction& first = report.grids.front().front();
  for (const auto& of_nodes : report.grids) {
    for (const Prediction& one : of_nodes) {
      const std::string interval =
          human_seconds(one.within.low) + " - " + human_seconds(one.within.high);
      std::snprintf(line, sizeof line, "%7lld %9lld %11s %6lld %10s %21s %9.0f%% %12.0f%%  %s\n",
                    static_cast<long long>(one.nodes), static_cast<long long>(one.ranks),
                    grid_text(one).c_str(), static_cast<long long>(one.chunks),
                    human_seconds(one.seconds).c_str(), interval.c_str(),
                    100 * efficiency(one, first), 100 * one.communication, one.schedule.c_str());
      text += line;
    }
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
