#pragma once

#include <functional>
#include <optional>
#include <string>

#include "exchange/communicator.hpp"

namespace weft {

/// What the command line asks for. Chosen while it is parsed, run afterwards on every rank.
struct Task {
  bool uses_mpi = true;  ///< false: only the first rank has work, and it needs no MPI
  /// Returns the exit status; throws Error.
  std::function<int(const Communicator& comm)> run;
  bool needs_threads = false;  ///< MPI is called from several threads
};

/// What is left to do on this rank after parsing or running.
struct Outcome {
  int status = 0;
  std::string output;                ///< for stdout
  std::optional<std::string> error;  ///< for stderr
};

/// The rest of a main function whose command line is parsed, with the given outcome: starts MPI
/// where it is needed, runs the task, and sees to it that an error is printed once, as
/// "NAME: error: ...", and ends all ranks. Returns the exit status.
int run_program(const std::string& name, const Task& task, Outcome parsed, int argc, char** argv);

}  // namespace weft
