// The command `weft`: parses the command line and runs one subcommand.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "geometry/unknown_name.hpp"
#include "weft/version.h"

namespace weft {

namespace {

/// All names of options, "--kinds".
std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string without_known(const Error& unknown) {
  const std::string text = unknown.what();
  return text.substr(0, text.find("; known"));  // which --help lists better
}

/// What is wrong with the first option that there is not, if any is: whatever else the parser
/// complains of follows from that.
std::string unknown_option(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> names = names_of(app);
  for (int i = 1; i < argc && argv[i] != std::string("--"); ++i) {
    std::string word = argv[i];
    word = word.substr(0, word.find('='));
    if (!word.starts_with("--") || std::find(names.begin(), names.end(), word) != names.end()) {
      continue;
    }
    return without_known(unknown_name("option", word, {names.begin(), names.end()}));
  }
  return {};
}

/// What is wrong with the first word that is not expected.
std::string unknown_word(const CLI::App& app, const CLI::App* subcommand, int argc, char** argv) {
  const std::vector<std::string> unknown = app.remaining(true);
  const auto is_unknown = [&](const char* word) {
    return std::find(unknown.begin(), unknown.end(), word) != unknown.end();
  };
  const std::string word = *std::find_if(argv + 1, argv + argc - 1, is_unknown);
  if (subcommand != nullptr || word[0] == '-') return "'" + word + "' was not expected";
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands({})) names.push_back(one->get_name());
  return without_known(unknown_name("subcommand", word, {names.begin(), names.end()}));
}

Outcome parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
    return {};
  } catch (const CLI::CallForHelp&) {
    return {0, app.help(), {}};  // of the subcommand that was chosen
  } catch (const CLI::CallForVersion& version) {
    return {0, std::string(version.what()) + "\n", {}};
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App* subcommand = chosen.empty() ? nullptr : chosen.front();
    const std::string hint =
        "weft " + (subcommand == nullptr ? "" : subcommand->get_name() + " ") + "--help";
    std::string what;
    if (subcommand != nullptr) {
      what = unknown_option(*subcommand, argc, argv);
    } else if (argc > 1 && argv[1][0] == '-') {
      what = unknown_option(app, argc, argv);
    }
    if (what.empty()) {
      const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
      what = is_extra ? unknown_word(app, subcommand, argc, argv) : error.what();
    }
    return {1, "", what + " (try: " + hint + ")"};
  }
}

int command(int argc, char** argv) {
  CLI::App app("weft " WEFT_VERSION_STRING
               ": spectral transforms of arrays spread over many processes",
               "weft");
  app.require_subcommand(0, 1);  // parse() asks for one, after unknown words were named
  app.set_version_flag("--version", "weft " WEFT_VERSION_STRING);
  app.footer(
      "Examples:\n"
      "  mpirun -n 4 weft transform velocity.npy spectrum.npy\n"
      "  mpirun -n 4 weft bench 256x256x256 --kinds r2c\n"
      "  weft plan 4096x4096x4096 --ranks 1024\n"
      "  weft predict 4096x4096x4096 --nodes 64,128,...,1024 --ranks-per-node 32\n"
      "  mpirun -n 4 weft limits\n"
      "  weft list\n"
      "weft SUBCOMMAND --help explains each of them.");
  Task task;
  add_transform(app, task);
  add_bench(app, task);
  add_plan(app, task);
  add_predict(app, task);
  add_calibrate(app, task);
  add_limits(app, task);
  add_tune(app, task);
  add_wisdom(app, task);
  add_list(app, task);
  add_completion(app, task);

  Outcome parsed = parse(app, argc, argv);
  return run_program("weft", task, std::move(parsed), argc, argv);
}

}  // namespace

}  // namespace weft

int main(int argc, char** argv) {
  return weft::command(argc, argv);
}
