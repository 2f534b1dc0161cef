// The command `weft`: parses the command line, starts MPI where it is needed, runs one subcommand,
// and sees to it that an error is printed once and ends all ranks.
#include <mpi.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "command.hpp"

namespace weft {

namespace {

/// How long a rank that has failed waits for the others.
constexpr std::chrono::seconds patience{3};
/// Launchers that are told to abort drop what they have not yet passed on.
constexpr std::chrono::milliseconds printing_time{300};

/// Whether an MPI launcher started this process, so that there may be more than one.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

/// What is left to do on this rank after parsing or running.
struct Outcome {
  int status = 0;
  std::string output;                ///< for stdout
  std::optional<std::string> error;  ///< for stderr
};

void print(const Outcome& outcome) {
  std::cout << outcome.output << std::flush;
  if (outcome.error) std::cerr << "weft: error: " + *outcome.error + "\n" << std::flush;
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
    const std::string hint =
        "weft " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help";
    return {1, "", std::string(error.what()) + " (try: " + hint + ")"};
  }
}

Outcome run(const Task& task, const Communicator& comm) {
  try {
    if (!task.uses_mpi && comm.rank() != 0) return {};
    return {task.run(comm), "", {}};
  } catch (const std::exception& error) {
    return {1, "", error.what()};
  }
}

/// All ranks meet here, and the first one that has failed tells why. A rank that fails alone, while
/// others wait for it elsewhere, ends them after a while.
int finish(const Outcome& outcome, const Communicator& comm) {
  const bool failed = outcome.status != 0;
  const int mine = failed ? comm.rank() : comm.size();
  int first_failed = comm.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &first_failed, 1, MPI_INT, MPI_MIN, comm.get(), &request);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (int done = 0; failed && done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0 && std::chrono::steady_clock::now() > deadline) {
      print(outcome);
      std::this_thread::sleep_for(printing_time);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const bool all_good = first_failed == comm.size();
  if (comm.rank() == (all_good ? 0 : first_failed)) print(outcome);
  // Launchers end all ranks when one of them exits with an error; the message must be out by then.
  MPI_Barrier(comm.get());
  return all_good ? 0 : 1;
}

int command(int argc, char** argv) {
  // Writing beyond a limit on file sizes is then an error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
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

  Outcome outcome = parse(app, argc, argv);
  const bool has_work = outcome.status == 0 && task.run;
  if (!(has_work && task.uses_mpi) && !started_by_launcher()) {
    if (has_work) outcome = run(task, Communicator());
    print(outcome);
    return outcome.status;
  }
  int level = 0;
  MPI_Init_thread(&argc, &argv, task.needs_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                  &level);
  int status = 0;
  {
    const auto meeting = Communicator::duplicate(MPI_COMM_WORLD);
    const auto work = Communicator::duplicate(MPI_COMM_WORLD);
    if (has_work) outcome = run(task, work);
    status = finish(outcome, meeting);
  }
  MPI_Finalize();
  return status;
}

}  // namespace

}  // namespace weft

int main(int argc, char** argv) {
  return weft::command(argc, argv);
}
