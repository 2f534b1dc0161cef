#include <algorithm>

#include "geometry/human_units.hpp"
#include "heat_map.hpp"
#include "page.hpp"
#include "tune_report.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

std::string paragraph(const std::string& text, const char* kind = "") {
  return "<p class=\"" + std::string(kind) + "\">" + as_html(text) + "</p>\n";
}

PageCell seconds_cell(double seconds) {
  if (seconds == 0) return {"-"};
  return {human_seconds(seconds), exact_text(seconds)};
}

std::string table_of_trials(const TuneResult& result) {
  std::vector<PageRow> rows;
  for (const PlanTrial& trial : result.info.trials) {
    char share[20] = "-";
    if (trial.seconds > 0) std::snprintf(share, sizeof share, "%.3f", trial.share);
    rows.push_back({{{(trial.chosen ? "\u2605 " : "") + name_of_settings(trial)},
                     seconds_cell(trial.predicted_seconds),
                     seconds_cell(trial.seconds),
                     {share, trial.seconds > 0 ? exact_text(trial.share) : ""},
                     {floor_text(result, trial)},
                     {printable(trial.remark)}},
                    trial.chosen});
  }
  return table_of_page({"settings", "predicted", "measured", "share of the defaults",
                        "share of the floor", "remark"},
                       rows, 1);
}

void add(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Of candidates that share a cell, what was measured counts, and then the fastest.
HeatMap map_of(const TuneResult& result, const std::string& down, std::string Candidate::*row) {
  HeatMap map{down, "process grid", {}, {}, {}};
  const PlanTrial& best = best_trial(result);
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const Candidate& candidate = result.candidates[i];
    const PlanTrial& trial = candidate.trial;
    const bool is_measured = trial.seconds > 0;
    if (i < result.info.trials.size() && !is_measured) continue;  // there is no way to do that
    add(map.rows, candidate.*row);
    add(map.columns, candidate.grid);
    const HeatCell cell{
        is_measured ? trial.seconds : trial.predicted_seconds,
        is_measured ? trial.share / best.share : trial.predicted_seconds / best.predicted_seconds,
        is_measured, trial.chosen, printable(trial.remark)};
    const auto [there, is_new] = map.cells.try_emplace({candidate.*row, candidate.grid}, cell);
    if (is_new || there->second.is_best) continue;
    const bool counts_more = is_measured != there->second.is_measured;
    if (cell.is_best || (counts_more ? is_measured : cell.relative < there->second.relative)) {
      there->second = cell;
    }
  }
  return map;
}

std::string maps_of(const TuneResult& result) {
  const std::vector<HeatMap> maps{map_of(result, "exchange", &Candidate::exchange),
                                  map_of(result, "chunks", &Candidate::chunks)};
  const HeatScale scale(maps);
  std::string html = legend_of(scale);
  for (const HeatMap& map : maps) {
    html += "<h3>" + as_html("Process grids and " + map.down) + "</h3>\n" + html_of(map, scale);
  }
  return html + paragraph(
                    "Times are of forward and backward together. A measured cell has the fastest "
                    "of the trials "
                    "with its two settings, whatever the others were; a predicted one has the "
                    "other settings of "
                    "the best. Factors and colors compare like with like: measured times with the "
                    "measured "
                    "time of the best, predicted ones with its predicted time. What cannot be "
                    "combined is empty.",
                    "soft");
}

/// `with`: ", with ..." behind headings, where there are several results.
std::string html_of(const TuneResult& result, int ranks, const std::string& with) {
  std::string html = "<h2>What was tried" + with + "</h2>\n" + table_of_trials(result);
  html += paragraph(
      "Shares of the defaults come from runs in turn with the best so far, so they say more than "
      "times, which drift.",
      "soft");
  html += paragraph(result.floor_seconds
                        ? "The floor, " + human_seconds(*result.floor_seconds) +
                              ", is what the bytes take to cross memory, or links if that takes "
                              "longer, at the rates that weft limits has measured. Arrays that "
                              "stay in caches may be faster."
                        : "The floor is not known on this machine: weft limits measures its "
                          "rates.",
                    "soft");
  html += "<h2>Where the best stands" + with + "</h2>\n";
  return html + (ranks > 1 ? maps_of(result)
                           : paragraph("On one rank nothing is exchanged: there are no process "
                                       "grids, exchanges and chunks to compare."));
}

}  // namespace

std::string page_of(const TuneReport& report) {
  std::string body = "<div class=\"verdict\">\n";
  for (const std::string& sentence : answer_of(report)) body += paragraph(sentence);
  body += "</div>\n" + paragraph(report.machine, "soft");
  for (const TuneResult& result : report.results) {
    const bool is_alone = report.results.size() == 1;
    body += html_of(result, report.ranks, is_alone ? "" : ", with " + threads_text(result.info));
  }
  return page("Tuned: " + report.given.title() + " on " + std::to_string(report.ranks) +
                  (report.ranks > 1 ? " ranks" : " rank"),
              body);
}

}  // namespace weft
