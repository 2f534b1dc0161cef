// The command `weft`: parses the command line and runs one subcommand.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <utility>

#include "command.hpp"

namespace weft {

namespace {

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
    const std::string hint =
        "weft " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help";
    return {1, "", std::string(error.what()) + " (try: " + hint + ")"};
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
      "  mpirun -n 4 weft bench 256 256 256 --kind r2c\n"
      "  weft plan 4096 4096 4096 --ranks 1024\n"
      "  mpirun -n 4 weft limits\n"
      "  weft list\n"
      "weft SUBCOMMAND --help tells more.");
  Task task;
  add_transform(app, task);
  add_bench(app, task);
  add_plan(app, task);
  add_limits(app, task);
  add_list(app, task);

  Outcome parsed = parse(app, argc, argv);
  return run_program("weft", task, std::move(parsed), argc, argv);
}

}  // namespace

}  // namespace weft

int main(int argc, char** argv) {
  return weft::command(argc, argv);
}
