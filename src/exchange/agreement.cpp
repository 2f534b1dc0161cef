#include "exchange/agreement.hpp"

#include <sched.h>

#include <new>

namespace weft {

std::string broadcast(const Communicator& comm, std::string text, int root) {
  int length = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, root, comm.get()), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, root, comm.get()), "MPI_Bcast");
  return text;
}

Error caught_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error("out of memory", ErrorCode::memory);
  } catch (const std::exception& error) {
    return Error(error.what());
  }
}

void agree(const Communicator& comm, const std::optional<Error>& error) {
  // The lowest failing rank, and whether all ranks fail.
  int mine[2] = {error ? comm.rank() : comm.size(), error ? 1 : 0};
  int all[2] = {0, 0};
  check_mpi(MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (all[0] == comm.size()) return;
  const bool everywhere = all[1] == 1;
  const std::string text = broadcast(comm, error ? error->what() : "", all[0]);
  int code = error ? static_cast<int>(error->code()) : 0;
  check_mpi(MPI_Bcast(&code, 1, MPI_INT, all[0], comm.get()), "MPI_Bcast");
  throw Error(everywhere ? text : "rank " + std::to_string(all[0]) + ": " + text,
              static_cast<ErrorCode>(code));
}

void agree_same(const Communicator& comm, const std::string& text, const std::string& what) {
  const std::string of_first = broadcast(comm, text, 0);
  std::optional<std::string> error;
  if (text != of_first) {
    error = what + " differs between ranks: " + text + ", but on rank 0 " + of_first;
  }
  agree(comm, error);
}

/// Dissemination: D. Hensgen, R. Finkel, U. Manber, Int. J. Parallel Programming 17 (1988) 1.
bool barrier_within(double seconds, const Communicator& comm, int tag,
                    const std::function<void()>& meanwhile) {
  const double deadline = MPI_Wtime() + seconds;
  const int ranks = comm.size();
  for (int distance = 1; distance < ranks; distance *= 2) {
    MPI_Request requests[2];
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, (comm.rank() + ranks - distance) % ranks, tag,
                        comm.get(), &requests[0]),
              "MPI_Irecv");
    check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, (comm.rank() + distance) % ranks, tag, comm.get(),
                        &requests[1]),
              "MPI_Isend");
    for (int all_here = 0; all_here == 0;) {
      check_mpi(MPI_Testall(2, requests, &all_here, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (all_here != 0) break;
      if (MPI_Wtime() > deadline) {
        MPI_Cancel(&requests[0]);
        for (MPI_Request& request : requests) {
          if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
        }
        return false;
      }
      meanwhile();
      sched_yield();
    }
  }
  return true;
}

}  // namespace weft
