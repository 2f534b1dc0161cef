#include "exchange/agreement.hpp"

#include "weft/error.hpp"

namespace weft {

namespace {

std::string broadcast(const Communicator& comm, std::string text, int root) {
  int length = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, root, comm.get()), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, root, comm.get()), "MPI_Bcast");
  return text;
}

}  // namespace

void agree(const Communicator& comm, const std::optional<std::string>& error) {
  // The lowest failing rank, and whether all ranks fail.
  int mine[2] = {error ? comm.rank() : comm.size(), error ? 1 : 0};
  int all[2] = {0, 0};
  check_mpi(MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (all[0] == comm.size()) return;
  const bool everywhere = all[1] == 1;
  const std::string text = broadcast(comm, error.value_or(""), all[0]);
  throw Error(everywhere ? text : "rank " + std::to_string(all[0]) + ": " + text);
}

void agree_same(const Communicator& comm, const std::string& text, const std::string& what) {
  const std::string of_first = broadcast(comm, text, 0);
  std::optional<std::string> error;
  if (text != of_first) {
    error = what + " differs between ranks: " + text + ", but on rank 0 " + of_first;
  }
  agree(comm, error);
}

}  // namespace weft
