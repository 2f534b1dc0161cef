// `weft plan`: the schedule of one rank of any number, without running it.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "case_options.hpp"
#include "command.hpp"
#include "device/cpu.hpp"
#include "device/host_device.hpp"
#include "geometry/human_units.hpp"
#include "machine_file.hpp"
#include "plan/arguments.hpp"
#include "plan/choose.hpp"
#include "schedule/describe.hpp"
#include "schedule/option_table.hpp"
#include "schedule/planner.hpp"
#include "weft/printable.hpp"
#include "whole_number.hpp"
#include "wisdom/known.hpp"

namespace weft {

namespace {

struct PlanCommand {
  CaseOptions given;
  Index ranks = 1;
  Index rank = 0;
  std::optional<Index> ranks_per_node;
  std::string machine;
};

/// What variables WEFT_* say counts as in a program.
Options with_environment(const PlanCommand& command, const std::string& environment) {
  Options options = plan_options(command.given);
  if (environment.empty()) return options;
  try {
    Options result = with_defaults(options, environment);
    check_options(result, parse_precision(command.given.precision));
    return result;
  } catch (const Error& error) {
    throw Error("WEFT_* of the environment: " + std::string(error.what()));
  }
}

std::string rate_text(double per_second, const char* unit) {
  char text[60];
  std::snprintf(text, sizeof text, "%.4g %s", per_second / 1e9, unit);
  return text;
}

/// What the predicted times are made of.
std::string machine_text(const PlanCommand& command, const Machine& machine, bool is_measured) {
  std::string text =
      "times are for ranks with " + rate_text(machine.memory_bandwidth, "GB/s of memory, ") +
      rate_text(machine.flops, "GFLOP/s, ") + rate_text(machine.node.bandwidth, "GB/s and ") +
      human_seconds(machine.node.latency) + " per message to ranks of their node";
  if (machine.ranks_per_node < command.ranks) {
    text += ", and for nodes of " + std::to_string(machine.ranks_per_node) + " ranks with " +
            rate_text(machine.network.bandwidth, "GB/s and ") +
            human_seconds(machine.network.latency) + " per message to others";
  }
  return text +
         (!command.machine.empty() ? ", of " + printable(command.machine) + " and defaults"
          : is_measured            ? ", as `weft limits` has measured this machine"
                                   : ", the defaults (`weft limits` measures them)") +
         "\n";
}

/// What plans on nodes like this one would find.
Known what_is_known(const ResolvedProblem& problem, const Options& options, Index ranks_per_node) {
  if (options.tune == Tune::off || options.device != "host") return {};
  const auto on_node = static_cast<int>(std::min(ranks_per_node, problem.ranks));
  return look_up(wisdom_key(problem, options, ranks_per_node, threads_of_rank(options, on_node),
                            host_device().info()));
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
  const std::string environment = options_of_environment();
  const Options given_options = with_environment(command, environment);
  Machine machine = command.machine.empty() ? Machine{} : read_machine(command.machine);
  machine.caches = static_cast<Index>(second_level_cache_bytes());
  if (command.ranks_per_node) {
    if (*command.ranks_per_node < 1) {
      throw Error("ranks per node " + std::to_string(*command.ranks_per_node) +
                  ": must be at least 1");
    }
    machine.ranks_per_node = *command.ranks_per_node;
  }
  const auto given = problem_of(command.given);

  const auto start = std::chrono::steady_clock::now();
  const ResolvedProblem problem = resolve(given, command.ranks, command.rank);
  const Known known = what_is_known(problem, given_options, machine.ranks_per_node);
  if (command.machine.empty()) set_figures(machine, known.figures);
  const Options options = with_defaults(given_options, known.settings);
  const Machine machine_of_plan = machine_for(options, machine);
  const Schedule schedule = plan_schedule(problem, options, machine_of_plan);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  std::cout << describe(schedule, problem, machine_of_plan)
            << describe(reversed(schedule), problem, machine_of_plan) << command.given.output_note()
            << (environment.empty()
                    ? ""
                    : "options of the environment: " + printable(environment) + "\n")
            << (known.settings.empty()
                    ? ""
                    : "options of the file of wisdom: " + printable(known.settings) + "\n")
            << machine_text(command, machine, !known.figures.empty()) << "planning took "
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
  parser->add_option("--rank", command->rank, "The rank whose schedule is printed")
      ->check(check_whole_number)
      ->capture_default_str();
  parser
      ->add_option("--ranks-per-node", command->ranks_per_node,
                   "Ranks that share a node; default: that of the machine file, else all")
      ->check(check_whole_number);
  parser
      ->add_option(
          "--machine", command->machine,
          "JSON file of `weft limits`, or with memory_bandwidth, flops, node.bandwidth (of a "
          "rank, per second), network.bandwidth (of a node), node.latency, "
          "network.latency (seconds) and ranks_per_node")
      ->type_name("FILE");
  parser->footer(
      "Examples:\n"
      "  weft plan 512x512x512 --ranks 16\n"
      "  weft plan 32768 32768 32768 --input pencil:0 --output pencil:2 --ranks 1048576 --rank 17");
  parser->callback([command, &task] {
    task = {false, [command](const Communicator&) { return run(*command); }};
  });
}

}  // namespace weft
