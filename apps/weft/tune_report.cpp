#include "tune_report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "geometry/human_units.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string with_decimals(double value, int decimals) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

Json floor_share(const TuneResult& result, const PlanTrial& trial) {
  if (!result.floor_seconds || trial.seconds == 0) return nullptr;
  return *result.floor_seconds / trial.seconds;
}

Json json_of(const TuneResult& result, const Candidate& candidate) {
  return {{"settings", candidate.trial.settings},
          {"threads", result.info.threads},
          {"grid", candidate.grid},
          {"exchange", candidate.exchange},
          {"chunks", candidate.chunks},
          {"predicted_seconds", candidate.trial.predicted_seconds}};
}

}  // namespace

const PlanTrial& best_trial(const TuneResult& result) {
  return *std::find_if(result.info.trials.begin(), result.info.trials.end(),
                       [](const PlanTrial& trial) { return trial.chosen; });
}

const TuneResult& best_result(const TuneReport& report) {
  return *std::min_element(report.results.begin(), report.results.end(),
                           [](const TuneResult& a, const TuneResult& b) {
                             return best_trial(a).seconds < best_trial(b).seconds;
                           });
}

std::string threads_text(const PlanInfo& info) {
  return std::to_string(info.threads) + (info.threads == 1 ? " thread" : " threads") +
         " of each rank";
}

std::string name_of_settings(const PlanTrial& trial) {
  return trial.settings.empty() ? "the defaults" : trial.settings;
}

std::string floor_text(const TuneResult& result, const PlanTrial& trial) {
  if (!result.floor_seconds || trial.seconds == 0) return "-";
  return with_decimals(100 * *result.floor_seconds / trial.seconds, 0) + "%";
}

std::vector<std::string> answer_of(const TuneReport& report) {
  const TuneResult& result = best_result(report);
  const PlanTrial& best = best_trial(result);
  const PlanTrial& defaults = result.info.trials.front();
  std::string fastest = "Fastest: " + name_of_settings(best);
  if (report.results.size() > 1) fastest += ", with " + threads_text(result.info);
  fastest += ". Forward and backward take " + human_seconds(best.seconds) + "; ";
  if (!best.settings.empty()) {
    fastest += "that is " + with_decimals(best.share, 3) + " of the time of the defaults (" +
               human_seconds(defaults.seconds) + "), and ";
  }
  fastest += "the cost model predicted " + human_seconds(best.predicted_seconds) + ".";

  std::size_t trials = 0;
  double seconds = 0;
  bool is_stored = true;
  for (const TuneResult& one : report.results) {
    trials += one.info.trials.size();
    seconds += one.seconds;
    is_stored = is_stored && one.is_stored;
  }
  const std::string tried =
      std::to_string(trials) + " settings were tried in " + human_seconds(seconds) + ". ";
  const std::string path = printable(report.wisdom);
  return {fastest, tried + (path.empty() ? "The result is not stored: there is no file of wisdom."
                            : is_stored  ? "The result is stored in the file of wisdom: " + path
                                         : "The result could not be stored in the file of "
                                           "wisdom: " +
                                              path)};
}

std::string text_of(const TuneReport& report) {
  std::string text;
  char line[100];
  for (const TuneResult& result : report.results) {
    if (report.results.size() > 1) text += "with " + threads_text(result.info) + ":\n";
    std::snprintf(line, sizeof line, "%12s %12s %12s %9s  ", "measured", "predicted", "of defaults",
                  "of floor");
    text += line + std::string("settings\n");
    for (const PlanTrial& trial : result.info.trials) {
      const bool was_run = trial.seconds > 0;
      std::snprintf(line, sizeof line, "%12s %12s %12s %9s  ",
                    was_run ? human_seconds(trial.seconds).c_str() : "-",
                    human_seconds(trial.predicted_seconds).c_str(),
                    was_run ? with_decimals(trial.share, 3).c_str() : "-",
                    floor_text(result, trial).c_str());
      text += line + name_of_settings(trial) +
              (trial.remark.empty() ? "" : " (" + printable(trial.remark) + ")") + "\n";
    }
    const PlanTrial& best = best_trial(result);
    text += "best: " + name_of_settings(best) + ", " + with_decimals(best.share, 3) +
            " of the time of the defaults\n";
    for (const PlanChoice& choice : result.info.choices) {
      if (choice.option == "tune") text += "tune: " + printable(choice.why) + "\n";
    }
  }
  if (report.results.size() > 1) {
    text += "fastest with " + threads_text(best_result(report).info) + "\n";
  }
  if (!report.wisdom.empty()) text += "file of wisdom: " + printable(report.wisdom) + "\n";
  return text;
}

std::string json_text_of(const TuneReport& report) {
  const TuneResult& best = best_result(report);
  Json trials = Json::array(), not_tried = Json::array();
  double seconds = 0;
  for (const TuneResult& result : report.results) {
    seconds += result.seconds;
    for (std::size_t i = 0; i < result.candidates.size(); ++i) {
      const Candidate& candidate = result.candidates[i];
      Json one = json_of(result, candidate);
      if (i < result.info.trials.size()) {
        one.update({{"seconds", candidate.trial.seconds},
                    {"share", candidate.trial.share},
                    {"floor_share", floor_share(result, candidate.trial)},
                    {"remark", printable(candidate.trial.remark)},
                    {"chosen", candidate.trial.chosen}});
      }
      (i < result.info.trials.size() ? trials : not_tried).push_back(one);
    }
  }
  return Json{{"best", best_trial(best).settings},
              {"threads", best.info.threads},
              {"tuning_seconds", seconds},
              {"trials", trials},
              {"not_tried", not_tried}}
             .dump(1) +
         "\n";
}

}  // namespace weft
