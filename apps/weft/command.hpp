#pragma once

#include <functional>

#include "exchange/communicator.hpp"

namespace CLI {
class App;
}

namespace weft {

/// What the command line asks for. Chosen while it is parsed, run afterwards on every rank.
struct Task {
  bool uses_mpi = true;  ///< false: only the first rank has work, and it needs no MPI
  /// Returns the exit status; throws Error.
  std::function<int(const Communicator& comm)> run;
  bool needs_threads = false;  ///< MPI is called from several threads
};

// Each adds one subcommand, which sets the task when it is chosen.
void add_bench(CLI::App& app, Task& task);
void add_limits(CLI::App& app, Task& task);
void add_plan(CLI::App& app, Task& task);
void add_list(CLI::App& app, Task& task);
void add_transform(CLI::App& app, Task& task);

}  // namespace weft
