// `weft predict`: what transforms would take on a machine, without running them.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "case_options.hpp"
#include "command.hpp"
#include "fit_file.hpp"
#include "geometry/named_values.hpp"
#include "predict_arguments.hpp"
#include "predict_report.hpp"
#include "predict_validate.hpp"
#include "trace/whole_file.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

struct PredictCommand {
  CaseOptions given;
  std::string nodes;
  std::optional<Index> ranks_per_node;
  std::string machine;
  std::vector<std::string> set;
  std::string sweep;
  std::string html;
  std::string json;
  bool best = false;
  bool own_layouts = true;
  ValidateOptions validate;
};

Fit fit_of(const PredictCommand& command) {
  Fit fit{Machine{}, Uncertainty::assumed()};
  if (!command.machine.empty()) fit = read_fit(command.machine);
  for (const std::string& text : command.set) {
    for (const auto& [name, value] : named_values("figure", text)) {
      set_figure(fit.machine, name, value);
    }
  }
  if (command.ranks_per_node) {
    if (*command.ranks_per_node < 1) {
      throw Error("ranks per node " + std::to_string(*command.ranks_per_node) +
                  ": must be at least 1");
    }
    fit.machine.ranks_per_node = *command.ranks_per_node;
  } else if (fit.machine.ranks_per_node == Machine{}.ranks_per_node) {
    throw Error("--ranks-per-node is needed: " + (command.machine.empty()
                                                      ? std::string("there is no machine file")
                                                      : "'" + command.machine + "' has none"));
  }
  return fit;
}

int run(const PredictCommand& command) {
  if (!command.validate.path.empty()) {
    if (!command.given.shape.empty() || !command.nodes.empty()) {
      throw Error("--validate takes its transforms from the file: leave out lengths and --nodes");
    }
    ValidateOptions options = command.validate;
    options.machine = command.machine;
    options.json = command.json;
    return validate(options);
  }
  if (command.given.shape.empty()) throw Error("lengths of the array are needed, or --validate");
  if (command.nodes.empty()) throw Error("--nodes is needed");
  for (const std::string& path : {command.html, command.json}) {
    if (!path.empty()) check_whole_file(path);
  }
  const Fit fit = fit_of(command);
  const PredictedCase given{problem_of(command.given), plan_options(command.given),
                            command.own_layouts};
  PredictReport report{command.given, command.own_layouts, fit, {}};
  for (const Index nodes : parse_nodes(command.nodes)) {
    if (!command.sweep.empty()) {
      report.grids.push_back(predict_grids(given, fit, nodes));
    } else if (command.best) {
      report.grids.push_back({predict_grids(given, fit, nodes).front()});
    } else {
      report.grids.push_back({predict(given, fit, nodes)});
    }
  }
  std::cout << text_of(report);
  if (!command.json.empty()) write_whole_file(command.json, json_text_of(report));
  if (!command.html.empty()) write_whole_file(command.html, page_of(report));
  return 0;
}

}  // namespace

void add_predict(CLI::App& app, Task& task) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* parser = app.add_subcommand(
      "predict", "Predict the time of a transform on other machines; needs no MPI job");
  add_case_options(*parser, command->given);
  parser->get_option("N")->required(false);
  parser->add_option("--nodes", command->nodes,
                     "Numbers of nodes: 1,2,4,...,512 goes on by the ratio of the two before the "
                     "dots");
  parser
      ->add_option("--ranks-per-node", command->ranks_per_node,
                   "Ranks of each node; default: that of the machine file")
      ->check(check_whole_number);
  parser
      ->add_option("--machine", command->machine,
                   "Machine file of `weft calibrate` or `weft limits`; default: figures of a "
                   "common machine, those of `weft plan`")
      ->type_name("FILE");
  parser
      ->add_option("--set", command->set,
                   "Change a figure of the machine: network.bandwidth=2e10, or by a factor "
                   "network.bandwidth=4x; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  parser->add_flag("--best", command->best,
                   "Take the process grid and the number of chunks that are predicted to be the "
                   "fastest");
  parser
      ->add_option("--sweep", command->sweep,
                   "Print the predictions for all process grids: --sweep grid")
      ->check(CLI::IsMember({"grid"}));
  parser->add_option("--html", command->html, "Write a page with a chart")->type_name("FILE");
  parser->add_option("--json", command->json, "Write everything as JSON")->type_name("FILE");
  parser
      ->add_option("--validate", command->validate.path,
                   "Instead compare predictions with the measured runs of a file, CSV or lines of "
                   "`weft bench --json`; without --machine figures are fitted to each group of "
                   "them")
      ->type_name("FILE");
  parser
      ->add_option("--fit-nodes-up-to", command->validate.fit_rows.most_nodes,
                   "With --validate: fit the figures to runs on at most so many nodes, and "
                   "predict the others")
      ->check(check_whole_number);
  parser
      ->add_option("--fit-also", command->validate.fit_rows.also,
                   "With --fit-nodes-up-to: fit this run too, named as in column id")
      ->type_name("ROW")
      ->allow_extra_args(false);
  parser->add_flag("--rows", command->validate.rows, "With --validate: print each row");
  parser->footer(
      "Examples:\n"
      "  weft predict 2048 2048 2048 --kinds r2c --machine machine.json --nodes 1,2,4,...,512 "
      "--ranks-per-node 40\n"
      "  weft predict --validate runs.csv --fit-nodes-up-to 26");
  parser->callback([command, parser, &task] {
    command->own_layouts =
        parser->get_option("--input")->count() + parser->get_option("--output")->count() == 0;
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
