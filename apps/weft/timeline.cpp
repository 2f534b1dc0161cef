#include "timeline.hpp"

#include "abandoned_files.hpp"
#include "files/first_rank.hpp"
#include "trace/whole_file.hpp"

namespace weft {

namespace {

/// A pair of transforms; ranks begin each together.
Trace traced_pair(const Communicator& comm, Plan& plan, const BenchArrays& arrays) {
  plan.start_trace();
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
    arrays.run(plan, direction);
    arrays.finish();
  }
  return plan.stop_trace();
}

}  // namespace

void check_timeline(const Communicator& comm, const std::string& path) {
  on_first_rank(comm, [&] {
    warn_of_abandoned_files("weft", path);
    check_whole_file(path);
    return std::string();
  });
}

HiddenExchange record_timeline(const Communicator& comm, Plan& plan, const BenchArrays& arrays,
                               const std::string& path) {
  // The first trace makes what later ones use.
  traced_pair(comm, plan, arrays);
  const Trace trace = traced_pair(comm, plan, arrays);
  on_first_rank(comm, [&] {
    write_chrome_json(trace, path);
    return std::string();
  });
  HiddenExchange hidden = hidden_exchange(trace);
  check_mpi(MPI_Bcast(&hidden, sizeof hidden, MPI_BYTE, 0, comm.get()), "MPI_Bcast");
  return hidden;
}

}  // namespace weft
