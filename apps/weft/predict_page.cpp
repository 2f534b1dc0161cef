#include <algorithm>
#include <cmath>
#include <cstdio>

#include "geometry/human_units.hpp"
#include "page.hpp"
#include "predict_report.hpp"

namespace weft {

namespace {

constexpr double width = 640, height = 400, left = 80, right = 20, top = 20, bottom = 50;

/// Logarithmic, from values to places in the chart.
struct Scale {
  double low, high;  ///< values at the ends
  double from, to;   ///< and their places

  double operator()(double value) const {
    return from + (to - from) * std::log(value / low) / std::log(high / low);
  }
};

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string point(double x, double y) {
  return number(x) + "," + number(y) + " ";
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
         text + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\"/>\n";
}

std::string chart(const std::vector<Prediction>& best) {
  double low = best.front().within.low, high = best.front().within.high;
  for (const Prediction& one : best) {
    low = std::min(low, one.within.low);
    high = std::max(high, one.within.high);
  }
  const auto nodes = [](const Prediction& one) { return static_cast<double>(one.nodes); };
  const double last = std::max(nodes(best.back()), nodes(best.front()) * 2);
  const Scale x{nodes(best.front()), last, left, width - right};
  const Scale y{low / 1.1, high * 1.1, height - bottom, top};
  std::string band, curve, marks;
  for (const Prediction& one : best) {
    band += point(x(nodes(one)), y(one.within.high));
    curve += point(x(nodes(one)), y(one.seconds));
    marks += "<circle cx=\"" + number(x(nodes(one))) + "\" cy=\"" + number(y(one.seconds)) +
             "\" r=\"3\"><title>" + std::to_string(one.nodes) +
             " nodes: " + human_seconds(one.seconds) + "</title></circle>\n";
  }
  for (auto one = best.rbegin(); one != best.rend(); ++one) {
    band += point(x(nodes(*one)), y(one->within.low));
  }
  std::string axes;
  double tick = std::pow(10, std::ceil(std::log10(y.low)));
  while (tick <= y.high) {
    axes += line(left, y(tick), width - right, y(tick)) +
            label(left - 6, y(tick) + 4, "end", human_seconds(tick));
    tick *= 10;
  }
  double free_from = 0;
  for (const Prediction& one : best) {
    const double at = x(nodes(one));
    if (at < free_from) continue;
    free_from = at + 40;
    axes += line(at, height - bottom, at, height - bottom + 5) +
            label(at, height - bottom + 20, "middle", std::to_string(one.nodes));
  }
  return "<svg viewBox=\"0 0 " + number(width) + " " + number(height) +
         "\" role=\"img\" aria-label=\"Predicted time by number of nodes, with its interval\">\n" +
         axes + label((left + width) / 2, height - 8, "middle", "nodes") + "<polygon points=\"" +
         band + "\"/>\n<polyline points=\"" + curve + "\"/>\n" + marks + "</svg>\n";
}

}  // namespace

std::string page_of(const PredictReport& report) {
  std::vector<Prediction> best;
  for (const auto& of_nodes : report.grids) best.push_back(of_nodes.front());
  std::vector<PageRow> rows;
  for (const auto& cells : cells_of(report)) {
    rows.emplace_back();
    for (const std::string& cell : cells) rows.back().cells.push_back({cell});
  }
  return page("Predicted: " + title_of(report),
              "<p class=\"soft\">" + as_html(circumstances_of(report)) + "</p>\n" + chart(best) +
                  table_of_page(headings_of_predictions(), rows, 0) + "<p class=\"soft\">" +
                  as_html(note_of(report)) + "</p>\n");
}

}  // namespace weft
