// Direct numerical simulation of incompressible flow in a periodic box; see
// docs/solvers/navier_stokes.md.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <utility>

#include "program.hpp"
#include "settings.hpp"
#include "simulation.hpp"

namespace {

weft::Outcome parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return {};
  } catch (const CLI::CallForHelp&) {
    return {0, app.help(), {}};
  } catch (const CLI::ParseError& error) {
    return {1, "", std::string(error.what()) + " (try: navier_stokes --help)"};
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Direct numerical simulation of incompressible flow in the periodic box (2 pi)^3",
               "navier_stokes");
  app.footer(
      "Examples:\n"
      "  mpirun -n 4 navier_stokes 64 --end 10 --history taylor_green.txt\n"
      "  mpirun -n 4 navier_stokes 128 --initial random --force-shells 2 --nu 0.005 --save run\n"
      "  mpirun -n 4 navier_stokes 128 --force-shells 2 --nu 0.005 --restart run-000500.json");
  weft::navier_stokes::Settings settings;
  add_settings(app, settings);
  weft::Task task;
  app.callback([&] {
    task.run = [&](const weft::Communicator& comm) {
      return weft::navier_stokes::simulate(settings, comm);
    };
  });
  weft::Outcome parsed = parse(app, argc, argv);
  return weft::run_program("navier_stokes", task, std::move(parsed), argc, argv);
}
