// The program of one library: describes the library, or runs one block of a study.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <new>

#include "driver/block.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

struct Arguments {
  bool describe = false;
  std::string shape = "64x64x64";
  std::string kind = "c2c";
  std::string precision = "f64";
  std::string grid;
  std::string checks = "full";
  std::string journal;
  std::vector<std::string> settings;
  Case problem;
  Regime regime;
};

nlohmann::ordered_json describe_json() {
  const Library library = describe();
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  for (const Setting& setting : library.settings) settings[setting.name] = setting.values;
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(mpi, &length);
  const std::string mpi_version(mpi, static_cast<std::size_t>(length));
  return {
      {"library", library.name},  {"version", library.version},
      {"settings", settings},     {"shared_memory", library.shared_memory},
      {"device", library.device}, {"mpi", mpi_version.substr(0, mpi_version.find_first_of("\n,"))}};
}

Extents parse_extents(const std::string& text) {
  Extents extents;
  for (const std::string& length : CLI::detail::split(text, 'x')) {
    extents.push_back(std::stoll(length));
  }
  return extents;
}

/// All settings of the library, those not given at their defaults.
std::map<std::string, std::string> parse_settings(const std::vector<std::string>& given,
                                                  const Library& library) {
  std::map<std::string, std::string> settings;
  for (const Setting& setting : library.settings) settings[setting.name] = setting.values.at(0);
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == text.npos || !settings.contains(name)) {
      throw Unsupported("setting '" + text + "' is unknown to " + library.name);
    }
    settings[name] = text.substr(equals + 1);
  }
  return settings;
}

/// As adapters' settings need it: to allow more costs time.
int thread_level(const std::vector<std::string>& given) {
  for (const Setting& setting : describe().settings) {
    if (setting.threaded.empty()) continue;
    for (const std::string& text : given) {
      if (text == setting.name + "=" + setting.threaded) return MPI_THREAD_MULTIPLE;
    }
  }
  return MPI_THREAD_FUNNELED;
}

void run(Arguments& arguments, const Journal& journal) {
  const Library library = describe();
  Case& problem = arguments.problem;
  problem.shape = parse_extents(arguments.shape);
  problem.kinds = parse_kinds(arguments.kind).resolve(problem.shape.size());
  problem.precision = parse_precision(arguments.precision);
  if (!arguments.grid.empty()) problem.grid = parse_extents(arguments.grid);
  problem.settings = parse_settings(arguments.settings, library);
  arguments.regime.checks = arguments.checks == "full" ? Thoroughness::full : Thoroughness::cheap;
  if (library.shared_memory) require(ranks_of(problem) == 1, "more than one process");
  run_block(problem, library, arguments.regime, journal);
}

const Journal* open_journal = nullptr;  // of the block that runs

/// A library that ends the program leaves word of it: launchers then kill the other ranks, and may
/// tell of that only.
void leave_word_of_exit() {
  if (open_journal != nullptr) open_journal->write("exit");
}

/// Runs the block; what goes wrong on one rank ends all of them.
void run_and_report(Arguments& arguments) {
  static const Journal journal(arguments.journal);
  open_journal = &journal;
  std::atexit(leave_word_of_exit);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto abort = [&](const char* status, const std::string& why) {
    journal.end(status, why + " (rank " + std::to_string(rank) + ")");
    std::cerr << why << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  };
  try {
    run(arguments, journal);
  } catch (const Unsupported& reason) {
    if (rank == 0) journal.end("unsupported", reason.what());
  } catch (const std::bad_alloc&) {
    abort("out_of_memory", "an allocation failed");
  } catch (const std::exception& error) {
    const bool memory = std::string(error.what()).find("cannot allocate") != std::string::npos;
    abort(memory ? "out_of_memory" : "failed", error.what());
  }
  open_journal = nullptr;
}

}  // namespace

}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;
  Arguments arguments;
  CLI::App app("Measures one library for a study of the weft harness");
  app.add_flag("--describe", arguments.describe, "Print what the library offers, and end");
  app.add_option("--shape", arguments.shape, "Lengths, as 64x64x64");
  app.add_option("--kind", arguments.kind, "c2c, r2c, or one per axis");
  app.add_option("--precision", arguments.precision)->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--batch", arguments.problem.batch)->check(CLI::PositiveNumber);
  app.add_flag("--in-place", arguments.problem.in_place);
  app.add_option("--in", arguments.problem.in, "any, slab, pencil, brick or a layout");
  app.add_option("--out", arguments.problem.out);
  app.add_option("--grid", arguments.grid, "Process grid of pencils, as 2x4");
  app.add_option("--threads", arguments.problem.threads)->check(CLI::PositiveNumber);
  app.add_option("--set", arguments.settings, "NAME=VALUE of one of the library's settings");
  app.add_option("--seconds", arguments.regime.seconds, "Time of all repetitions");
  app.add_option("--least", arguments.regime.least, "Fewest repetitions")
      ->check(CLI::PositiveNumber);
  app.add_option("--most", arguments.regime.most, "Most repetitions")->check(CLI::PositiveNumber);
  app.add_option("--checks", arguments.checks)->check(CLI::IsMember({"full", "cheap"}));
  app.add_flag("!--no-energy", arguments.regime.energy, "Measure no energy");
  app.add_option("--powercap", arguments.regime.powercap, "Folder with energy counters of Linux");
  app.add_option("--journal", arguments.journal, "File that gets a line for each event");
  CLI11_PARSE(app, argc, argv);
  if (arguments.describe) {
    std::cout << describe_json().dump() << std::endl;
    return 0;
  }
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, thread_level(arguments.settings), &provided);
  run_and_report(arguments);
  MPI_Finalize();
  return 0;
}
