#include "heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "geometry/human_units.hpp"
#include "page.hpp"

namespace weft {

namespace {

/// Times so many times as long as the best are slow, whatever they are.
constexpr double slow = 4;

struct Color {
  double red, green, blue;
};

/// Cividis, backwards: bright to dark for whoever sees colors or does not (J. R. Nuñez,
/// C. R. Anderton and R. S. Renslow, PLOS ONE 13(7), 2018).
constexpr std::array<Color, 9> cividis{{{254, 232, 56},
                                        {195, 179, 105},
                                        {165, 156, 116},
                                        {138, 134, 120},
                                        {112, 113, 115},
                                        {87, 93, 109},
                                        {59, 73, 108},
                                        {18, 53, 112},
                                        {0, 34, 78}}};

Color color_at(double place) {
  const double position = place * (cividis.size() - 1);
  const auto index = std::min(static_cast<std::size_t>(position), cividis.size() - 2);
  const double share = position - static_cast<double>(index);
  const auto between = [&](double Color::*part) {
    return cividis[index].*part * (1 - share) + cividis[index + 1].*part * share;
  };
  return {between(&Color::red), between(&Color::green), between(&Color::blue)};
}

std::string text_of(const Color& color) {
  char text[8];
  const auto byte = [](double part) { return static_cast<unsigned>(std::lround(part)) & 0xffU; };
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(color.red), byte(color.green),
                byte(color.blue));
  return text;
}

/// "1.08×"
std::string factor(double value) {
  char text[20];
  std::snprintf(text, sizeof text, "%.3g\u00d7", value);
  return text;
}

std::string html_of(const HeatCell& cell, const HeatScale& scale) {
  const double place = scale.place(cell.relative);
  const std::string colors =
      "--cell:" + text_of(color_at(place)) + ";--on-cell:" + (place < 0.4 ? "#000000" : "#ffffff");
  const std::string kind = cell.is_measured ? "measured" : "predicted";
  const std::string text = (cell.is_best ? "\u2605 " : "") + as_html(human_seconds(cell.seconds)) +
                           "<small>" + factor(cell.relative) +
                           (cell.remark.empty() ? "" : " " + as_html(cell.remark)) + "</small>";
  return "<td class=\"" + kind + (cell.is_best ? " best" : "") + "\" style=\"" + colors +
         "\" data-value=\"" + exact_text(cell.seconds) + "\"><span>" + text + "</span></td>";
}

}  // namespace

HeatScale::HeatScale(const std::vector<HeatMap>& maps) : low(1), high(1.5) {
  for (const HeatMap& map : maps) {
    for (const auto& [place, cell] : map.cells) {
      low = std::min(low, cell.relative);
      high = std::clamp(cell.relative, high, slow);
    }
  }
}

double HeatScale::place(double relative) const {
  return std::clamp(std::log(relative / low) / std::log(high / low), 0.0, 1.0);
}

std::string html_of(const HeatMap& map, const HeatScale& scale) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"map\">\n<thead>\n<tr><td></td><th "
      "class=\"axis\" colspan=\"" +
      std::to_string(map.columns.size()) + "\">" + as_html(map.across) +
      "</th></tr>\n<tr><th class=\"axis\">" + as_html(map.down) + "</th>";
  for (const std::string& column : map.columns) {
    html += "<th scope=\"col\">" + as_html(column) + "</th>";
  }
  html += "</tr>\n</thead>\n<tbody>\n";
  for (const std::string& row : map.rows) {
    html += "<tr><th scope=\"row\">" + as_html(row) + "</th>";
    for (const std::string& column : map.columns) {
      const auto cell = map.cells.find({row, column});
      html += cell == map.cells.end() ? "<td></td>" : html_of(cell->second, scale);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string legend_of(const HeatScale& scale) {
  std::string ramp;
  for (std::size_t i = 0; i < cividis.size(); ++i) {
    ramp += (i == 0 ? "" : ",") + text_of(cividis[i]);
  }
  const std::string sample = "style=\"--cell:" + text_of(cividis[3]) + ";--on-cell:";
  return "<div class=\"legend\" role=\"group\" aria-label=\"Legend\">\n<span><i "
         "class=\"measured\" " +
         sample + "#000000\"></i> measured</span>\n<span><i class=\"predicted\" " + sample +
         "#000000\"></i> predicted, not tried</span>\n<span><i class=\"measured best\" "
         "style=\"--cell:" +
         text_of(cividis[0]) + ";--on-cell:#000000\"></i> \u2605 best</span>\n<span>" +
         factor(scale.low) + " <i class=\"ramp\" style=\"background:linear-gradient(90deg," + ramp +
         ")\"></i> " + factor(scale.high) + (scale.high < slow ? "" : " and more") +
         "</span>\n</div>\n";
}

}  // namespace weft
