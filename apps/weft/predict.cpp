// `weft predict`: what transforms would take on a machine, without running them.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <optional>

#include "case_options.hpp"
#include "command.hpp"
#include "machine_file.hpp"
#include "predict_validate.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

struct PredictCommand {
  CaseOptions given;
  std::string machine;
  std::string json;
  ValidateOptions validate;
};

int run(const PredictCommand& command) {
  return validate(command.validate);
}

}  // namespace

void add_predict(CLI::App& app, Task& task) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* parser = app.add_subcommand("predict", "Predict times; needs no MPI job");
  parser->add_option("--validate", command->validate.path)->type_name("FILE");
  parser->add_option("--fit-nodes-up-to", command->validate.fit_rows.most_nodes)->check(check_whole_number);
  parser->add_option("--fit-also", command->validate.fit_rows.also)->type_name("ROW");
  parser->add_flag("--rows", command->validate.rows);
  parser->callback([command, &task] {
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
