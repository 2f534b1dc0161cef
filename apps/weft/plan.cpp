// `weft plan`: the schedule of one rank of any number, without running it.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "case_options.hpp"
#include "command.hpp"
#include "device/host_memory.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"
#include "whole_number.hpp"

namespace weft {

namespace {

struct PlanCommand {
  CaseOptions given;
  Index ranks = 1;
  Index rank = 0;
  std::string machine;
};

Machine read_machine(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("machine file '" + path + "' cannot be read");
  nlohmann::json content;
  try {
    content = nlohmann::json::parse(file);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error("machine file '" + path + "' is no JSON: " + error.what());
  }
  if (!content.is_object()) throw Error("machine file '" + path + "' holds no JSON object");
  Machine machine;
  const std::pair<const char*, double*> fields[] = {
      {"memory_bandwidth", &machine.memory_bandwidth},
      {"exchange_bandwidth", &machine.exchange_bandwidth},
      {"message_latency", &machine.message_latency},
      {"flops", &machine.flops},
  };
  for (const auto& [key, value] : content.items()) {
    if (key == "limits") continue;  // what the figures were made of
    double* field = nullptr;
    std::string known;
    for (const auto& [name, target] : fields) {
      if (key == name) field = target;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    if (field == nullptr) {
      throw Error("machine file '" + path + "': '" + key + "' is unknown; known: " + known);
    }
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() <= 0) {
      throw Error("machine file '" + path + "': " + key + " is " + value.dump() +
                  "; it must be a positive number");
    }
    *field = value.get<double>();
  }
  return machine;
}

int run(const PlanCommand& command) {
  constexpr Index most_ranks = std::numeric_limits<int>::max();  // of MPI
  if (command.ranks < 1 || command.ranks > most_ranks) {
    throw Error("ranks " + std::to_string(command.ranks) + ": must be 1 to " +
                std::to_string(most_ranks));
  }
  if (command.rank < 0 || command.rank >= command.ranks) {
    throw Error("rank " + std::to_string(command.rank) + " is not one of the " +
                std::to_string(command.ranks) + " ranks");
  }
  const Options options = plan_options(command.given);
  const Machine machine = command.machine.empty() ? Machine{} : read_machine(command.machine);
  const auto given = problem_of<Index>(command.given, command.ranks);

  const auto start = std::chrono::steady_clock::now();
  const Problem problem = resolve(given, command.rank);
  const Schedule schedule =
      plan_schedule(problem, options, static_cast<Index>(second_level_cache_bytes()), machine);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  std::cout << describe(schedule, problem, machine)
            << describe(reversed(schedule), problem, machine) << "planning took "
            << human_seconds(elapsed.count()) << "\n";
  return 0;
}

}  // namespace

void add_plan(CLI::App& app, Task& task) {
  auto command = std::make_shared<PlanCommand>();
  CLI::App* parser = app.add_subcommand(
      "plan", "Print the schedule of one rank and its predicted time; needs no MPI job");
  add_case_options(*parser, command->given);
  parser->add_option("--ranks", command->ranks, "Number of ranks")
      ->check(check_whole_number)
      ->required();
  parser->add_option("--rank", command->rank, "Whose schedule is printed")
      ->check(check_whole_number)
      ->capture_default_str();
  parser->add_option("--machine", command->machine,
                     "JSON file of `weft limits`, or with memory_bandwidth, exchange_bandwidth "
                     "(bytes per second of a "
                     "rank), message_latency (seconds) and flops");
  parser->footer(
      "Examples:\n"
      "  weft plan 512 512 512 --ranks 16\n"
      "  weft plan 32768 32768 32768 --in pencil:0 --out pencil:2 --ranks 1048576 --rank 17");
  parser->callback([command, &task] {
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
