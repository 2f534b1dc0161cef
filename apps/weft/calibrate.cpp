// `weft calibrate`: the figures of a machine from measured runs.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "fit_file.hpp"
#include "predict_validate.hpp"
#include "trace/whole_file.hpp"
#include "weft/error.hpp"
#include "weft/printable.hpp"

namespace weft {

namespace {

struct CalibrateCommand {
  std::string path;
  std::string group;
  std::string machine;
};

/// Those of the group that is asked for. Figures of several groups at a time would be those of
/// none.
std::vector<MeasuredRun> runs_of_group(const MeasuredRuns& measured, const std::string& wanted) {
  std::vector<MeasuredRun> chosen;
  std::vector<std::string> groups;
  for (const MeasuredRun& run : measured.runs) {
    if (run.group.find(wanted) == std::string::npos) continue;
    chosen.push_back(run);
    if (groups.empty() || groups.back() != run.group) groups.push_back(run.group);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  if (groups.size() > 1) {
    std::string text = "there are " + std::to_string(groups.size()) +
                       " groups of runs; choose with --group, by a part of the name";
    for (const std::string& group : groups) text += "; " + group;
    throw Error(text);
  }
  return chosen;
}

/// Ranks per node of all of them; 0 if these differ.
Index common_ranks_per_node(const std::vector<MeasuredRun>& runs) {
  for (const MeasuredRun& run : runs) {
    if (run.ranks_per_node != runs.front().ranks_per_node) return 0;
  }
  return runs.front().ranks_per_node;
}

/// Each with the factor that a standard deviation of the fit is.
void print_figures(Fit fit) {
  const std::size_t count = fit.uncertainty.names.size();
  std::size_t i = 0;
  for (const auto& [name, value] : figures(fit.machine)) {
    const double deviation = std::sqrt(fit.uncertainty.covariance[i * count + i]);
    std::printf("%-22s %12.4g  within a factor of %.3g\n", std::string(name).c_str(), *value,
                std::exp(deviation));
    ++i;
  }
}

int run(const CalibrateCommand& command) {
  if (!command.machine.empty()) check_whole_file(command.machine);
  MeasuredRuns measured = read_measured_runs(command.path);
  measured.runs = runs_of_group(measured, command.group);
  if (measured.runs.empty()) {
    throw Error("'" + command.path + "' has no run that a schedule stands for" +
                (command.group.empty()
                     ? std::string()
                     : ", in a group with '" + printable(command.group, printable_excerpt) + "'"));
  }
  Fit fit = fit_machine(measured.runs, start_of_fits());
  if (const Index ranks = common_ranks_per_node(measured.runs)) fit.machine.ranks_per_node = ranks;
  print_figures(fit);
  std::printf("a standard deviation of the rest is a factor of %.3g\n",
              std::exp(fit.uncertainty.spread));
  print_comparison(compare(measured, fit, {}), measured, true);
  if (!command.machine.empty()) write_fit(command.machine, fit);
  return 0;
}

}  // namespace

void add_calibrate(CLI::App& app, Task& task) {
  auto command = std::make_shared<CalibrateCommand>();
  CLI::App* parser = app.add_subcommand(
      "calibrate", "Fit the figures of a machine to measured runs; needs no MPI job");
  parser
      ->add_option("FILE", command->path,
                   "Measured runs: CSV, or lines of `weft bench --json` or of the harness")
      ->required();
  parser->add_option("--group", command->group,
                     "Take the runs whose group (machine, library, method, precision, kinds, "
                     "layouts) has this text in its name");
  parser->add_option("-o,--machine", command->machine, "Machine file to write, for `weft predict`")
      ->type_name("FILE");
  parser->footer(
      "Example:\n"
      "  weft calibrate runs.csv --group P3DFFT -o machine.json");
  parser->callback([command, &task] {
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
