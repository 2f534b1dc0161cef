// `weft tune`: tries settings for one transform and remembers the best.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "case_options.hpp"
#include "command.hpp"
#include "files/first_rank.hpp"
#include "machine_info.hpp"
#include "progress.hpp"
#include "trace/whole_file.hpp"
#include "tune/tuning_watcher.hpp"
#include "tune_report.hpp"
#include "weft/plan.hpp"
#include "weft/printable.hpp"
#include "weft/wisdom.hpp"

namespace weft {

namespace {

struct TuneCommand {
  CaseOptions given;
  std::string html;
  std::string json;
  Verbosity verbosity = Verbosity::normal;
};

/// One for each number of threads, "1,2".
std::vector<Options> options_to_tune(CaseOptions given) {
  const auto threads = given.plan.find("threads");
  std::vector<std::string> numbers(1);
  if (threads != given.plan.end()) {
    numbers.clear();
    std::istringstream words(threads->second + ",");
    for (std::string word; std::getline(words, word, ',');) numbers.push_back(word);
  }
  std::vector<Options> result;
  for (const std::string& number : numbers) {
    if (std::count(numbers.begin(), numbers.end(), number) > 1) {
      throw Error("threads '" + printable(threads->second, printable_excerpt) + "': " + number +
                  " is given twice");
    }
    if (threads != given.plan.end()) threads->second = number;
    result.push_back(plan_options(given));
    result.back().tune = Tune::again;
  }
  return result;
}

/// Whether a file of wisdom holds what was found. Failing to store it is no error of tuning.
bool is_stored(const PlanTrial& best, const PlanTrial& defaults) {
  try {
    const auto records = read_wisdom().records;
    return std::any_of(records.begin(), records.end(), [&](const WisdomRecord& record) {
      return record.settings == best.settings && record.seconds == best.seconds &&
             record.default_seconds == defaults.seconds;
    });
  } catch (const Error&) {
    return false;
  }
}

TuneResult tune(const Problem& problem, const Options& options, Progress& progress,
                const Communicator& comm) {
  TuneResult result;
  int tried = 0;
  tuning_watcher.tried = [&](const PlanTrial& trial) {
    ++tried;
    progress.begin("tried " + std::to_string(tried) + " settings, last " + name_of_settings(trial));
  };
  if (comm.rank() == 0) {
    tuning_watcher.ended = [&](const Candidates& candidates, const std::vector<PlanTrial>& trials) {
      result.candidates = candidates.overview(trials);
      result.floor_seconds = candidates.floor_seconds();
    };
  }
  progress.begin("timing the defaults");
  const double begin = MPI_Wtime();
  const Plan plan(comm.get(), problem, options);
  tuning_watcher = {};
  result.seconds = MPI_Wtime() - begin;
  result.info = plan.info();
  result.is_stored = comm.rank() == 0 && is_stored(best_trial(result), result.info.trials.front());
  return result;
}

std::string machine_text(const CaseOptions& given, const MachineInfo& info) {
  return given.input + " to " + given.output_or_default() + ", " + std::to_string(info.nodes) +
         (info.nodes == 1 ? " node, " : " nodes, ") + info.cpu + ", " + info.mpi;
}

int run(const TuneCommand& command, const Communicator& comm) {
  const Problem problem = problem_of(command.given);
  const std::vector<Options> options = options_to_tune(command.given);
  on_first_rank(comm, [&] {
    for (const std::string& path : {command.html, command.json}) {
      if (!path.empty()) check_whole_file(path);
    }
    return std::string();
  });
  TuneReport report{command.given,
                    comm.size(),
                    machine_text(command.given, machine_info(comm)),
                    wisdom_path(),
                    {}};
  {
    Progress progress(comm.rank() == 0, command.verbosity);
    for (const Options& one : options) {
      report.results.push_back(tune(problem, one, progress, comm));
    }
    progress.end();
  }
  on_first_rank(comm, [&] {
    std::fputs((command.given.output_note() + text_of(report)).c_str(), stdout);
    std::fflush(stdout);
    if (!command.json.empty()) write_whole_file(command.json, json_text_of(report));
    if (!command.html.empty()) write_whole_file(command.html, page_of(report));
    return std::string();
  });
  return 0;
}

}  // namespace

void add_tune(CLI::App& app, Task& task) {
  auto command = std::make_shared<TuneCommand>();
  CLI::App* parser =
      app.add_subcommand("tune", "Find the fastest settings for a transform, and remember them");
  add_case_options(*parser, command->given);
  parser->remove_option(parser->get_option("--tuning"));
  CLI::Option* threads = parser->get_option("--threads");
  threads->description(threads->get_description() +
                       "; 1,2: settings are searched with each of them");
  parser
      ->add_option("--html", command->html,
                   "Write a page with all trials, and heat maps of the other combinations")
      ->type_name("FILE");
  parser->add_option("--json", command->json, "Write the same as JSON")->type_name("FILE");
  add_verbosity(*parser, command->verbosity);
  parser->footer(
      "Options that are given stay as they are; the others are searched.\n"
      "Examples:\n"
      "  mpirun -n 4 weft tune 256x256x256 --kinds r2c\n"
      "  mpirun -n 4 weft tune 512x512x512 --tune-seconds 60 --tune-trials 100 --html tuned.html");
  parser->callback([command, &task] {
    task = {true, [command](const Communicator& comm) { return run(*command, comm); }};
  });
}

}  // namespace weft
