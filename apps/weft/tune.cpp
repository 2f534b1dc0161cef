// `weft tune`: tries settings for one transform and remembers the best.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "case_options.hpp"
#include "command.hpp"
#include "files/first_rank.hpp"
#include "geometry/human_units.hpp"
#include "progress.hpp"
#include "trace/whole_file.hpp"
#include "tune/trial_watcher.hpp"
#include "weft/plan.hpp"
#include "weft/printable.hpp"
#include "weft/wisdom.hpp"

namespace weft {

namespace {

struct TuneCommand {
  CaseOptions given;
  std::string budget;
  std::string trials;
  std::string json;
  Verbosity verbosity = Verbosity::normal;
};

std::string name_of_settings(const PlanTrial& trial) {
  return trial.settings.empty() ? "the defaults" : trial.settings;
}

const PlanTrial& winner(const PlanInfo& info) {
  return *std::find_if(info.trials.begin(), info.trials.end(),
                       [](const PlanTrial& trial) { return trial.chosen; });
}

void print(const PlanInfo& info) {
  std::printf("%12s %12s %8s  settings\n", "measured", "predicted", "share");
  for (const PlanTrial& trial : info.trials) {
    const bool was_run = trial.seconds > 0;
    char share[20] = "-";
    if (was_run) std::snprintf(share, sizeof share, "%.3f", trial.share);
    std::printf("%12s %12s %8s  %s%s\n", was_run ? human_seconds(trial.seconds).c_str() : "-",
                human_seconds(trial.predicted_seconds).c_str(), share,
                name_of_settings(trial).c_str(),
                trial.remark.empty() ? "" : (" (" + trial.remark + ")").c_str());
  }
  const PlanTrial& best = winner(info);
  std::printf("best: %s, %.3f of the time of the defaults\n", name_of_settings(best).c_str(),
              best.share);
  for (const PlanChoice& choice : info.choices) {
    if (choice.option == "tune") std::printf("tune: %s\n", printable(choice.why).c_str());
  }
  const std::string path = wisdom_path();
  if (!path.empty()) std::printf("file of wisdom: %s\n", printable(path).c_str());
}

std::string json_text(const PlanInfo& info) {
  nlohmann::ordered_json trials = nlohmann::ordered_json::array();
  for (const PlanTrial& trial : info.trials) {
    trials.push_back({{"settings", trial.settings},
                      {"predicted_seconds", trial.predicted_seconds},
                      {"seconds", trial.seconds},
                      {"share", trial.share},
                      {"remark", trial.remark}});
  }
  return nlohmann::ordered_json{{"best", winner(info).settings}, {"trials", trials}}.dump() + "\n";
}

/// "10s", or "10"
std::string without_unit(std::string seconds) {
  if (seconds.ends_with('s')) seconds.pop_back();
  return seconds;
}

int run(const TuneCommand& command, const Communicator& comm) {
  Options options = plan_options(command.given);
  options.tune = Tune::again;
  if (!command.budget.empty()) {
    set_option(options, "tune_seconds", without_unit(command.budget));
  }
  if (!command.trials.empty()) set_option(options, "tune_trials", command.trials);
  Progress progress(comm.rank() == 0, command.verbosity);
  int tried = 0;
  trial_watcher = [&](const PlanTrial& trial) {
    ++tried;
    progress.begin("tried " + std::to_string(tried) + " settings, last " + name_of_settings(trial));
  };
  progress.begin("timing the defaults");
  const Plan plan(comm.get(), problem_of(command.given), options);
  trial_watcher = nullptr;
  progress.end();
  on_first_rank(comm, [&] {
    std::fputs(command.given.output_note().c_str(), stdout);
    print(plan.info());
    std::fflush(stdout);
    if (!command.json.empty()) write_whole_file(command.json, json_text(plan.info()));
    return std::string();
  });
  return 0;
}

}  // namespace

void add_tune(CLI::App& app, Task& task) {
  auto command = std::make_shared<TuneCommand>();
  CLI::App* parser = app.add_subcommand(
      "tune", "Find the fastest settings for one transform and remember them for its plans");
  add_case_options(*parser, command->given);
  for (const char* flag : {"--tuning", "--tune-seconds", "--tune-trials"}) {
    parser->remove_option(parser->get_option(flag));
  }
  parser->add_option("--budget", command->budget, "Seconds that it may take; default: 10s");
  parser->add_option("--trials", command->trials, "Settings to try, at most; default: 30");
  parser->add_option("--json", command->json, "File to write what was tried to")->type_name("FILE");
  add_verbosity(*parser, command->verbosity);
  parser->footer(
      "What is given here stays as it is; the rest is tried, whole transforms there and back.\n"
      "Examples:\n"
      "  mpirun -n 4 weft tune 256x256x256 --kinds r2c\n"
      "  mpirun -n 4 weft tune 512x512x512 --budget 60s --trials 100");
  parser->callback([command, &task] {
    task = {true, [command](const Communicator& comm) { return run(*command, comm); }};
  });
}

}  // namespace weft
