#include "program.hpp"

#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <utility>

#include "weft/printable.hpp"

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

void print(const std::string& name, const Outcome& outcome) {
  std::cout << outcome.output << std::flush;
  if (outcome.error) {
    std::cerr << name + ": error: " + printable(*outcome.error) + "\n" << std::flush;
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
int finish(const std::string& name, const Outcome& outcome, const Communicator& comm) {
  const bool failed = outcome.status != 0;
  const int mine = failed ? comm.rank() : comm.size();
  int first_failed = comm.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &first_failed, 1, MPI_INT, MPI_MIN, comm.get(), &request);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (int done = 0; failed && done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0 && std::chrono::steady_clock::now() > deadline) {
      print(name, outcome);
      std::this_thread::sleep_for(printing_time);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const bool all_good = first_failed == comm.size();
  if (comm.rank() == (all_good ? 0 : first_failed)) print(name, outcome);
  // Launchers end all ranks when one of them exits with an error; the message must be out by then.
  MPI_Barrier(comm.get());
  return all_good ? 0 : 1;
}

}  // namespace

int run_program(const std::string& name, const Task& task, Outcome parsed, int argc, char** argv) {
  // Writing beyond a limit on file sizes is then an error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  Outcome outcome = std::move(parsed);
  const bool has_work = outcome.status == 0 && task.run;
  if (!(has_work && task.uses_mpi) && !started_by_launcher()) {
    if (has_work) outcome = run(task, Communicator());
    print(name, outcome);
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
    status = finish(name, outcome, meeting);
  }
  MPI_Finalize();
  return status;
}

}  // namespace weft
