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

namespace weft {

namespace {

/// What is wrong with the first word that is neither an option nor expected.
std::string unknown_word(const CLI::App& app, const CLI::App* subcommand, int argc, char** argv) {
  const std::vector<std::string> unknown = app.remaining(true);
  const auto is_unknown = [&](const char* word) {
    return std::find(unknown.begin(), unknown.end(), word) != unknown.end();
  };
  std::string word = *std::find_if(argv + 1, argv + argc - 1, is_unknown);
  std::vector<std::string> names;
  const bool is_option = word[0] == '-';
  if (is_option) {
    word = word.substr(0, word.find('='));
    for (const CLI::Option* option : (subcommand != nullptr ? *subcommand : app).get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  } else if (subcommand == nullptr) {
    for (const CLI::App* one : app.get_subcommands({})) names.push_back(one->get_name());
  } else {
    return "'" + word + "' was not expected";
  }
  const std::string text =
      unknown_name(is_option ? "option" : "subcommand", word, {names.begin(), names.end()}).what();
  return text.substr(0, text.find("; known"));  // which --help lists better
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
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    return {1, "",
            (is_extra ? unknown_word(app, subcommand, argc, argv) : error.what()) +
                " (try: " + hint + ")"};
  }
}

int command(int argc, char** argv) {
  CLI::App app("weft " WEFT_VERSION ": spectral transforms of arrays spread over many processes",
               "weft");
  app.require_subcommand(0, 1);  // parse() asks for one, after unknown words were named
  app.set_version_flag("--version", "weft " WEFT_VERSION);
  app.footer(
      "Examples:\n"
      "  mpirun -n 4 weft transform velocity.npy spectrum.npy\n"
      "  mpirun -n 4 weft bench 256x256x256 --kinds r2c\n"
      "  weft plan 4096x4096x4096 --ranks 1024\n"
      "  mpirun -n 4 weft limits\n"
      "  weft list\n"
      "weft SUBCOMMAND --help tells more.");
  Task task;
  add_transform(app, task);
  add_bench(app, task);
  add_plan(app, task);
  add_limits(app, task);
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
