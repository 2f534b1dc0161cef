#include "exchange/node_map.hpp"

namespace weft {

namespace {

int lowest_rank_of_node(const Communicator& comm) {
  const Communicator node = Communicator::split_by_node(comm);
  int lowest = comm.rank();
  check_mpi(MPI_Bcast(&lowest, 1, MPI_INT, 0, node.get()), "MPI_Bcast");
  return lowest;
}

}  // namespace

NodeMap::NodeMap(const Communicator& comm, Index ranks_per_node)
    : node_(static_cast<std::size_t>(comm.size())) {
  const int lowest = ranks_per_node == 0
                         ? lowest_rank_of_node(comm)
                         : comm.rank() - static_cast<int>(comm.rank() % ranks_per_node);
  check_mpi(MPI_Allgather(&lowest, 1, MPI_INT, node_.data(), 1, MPI_INT, comm.get()),
            "MPI_Allgather");
  for (int rank = 0; rank < comm.size(); ++rank) {
    int& node = node_[static_cast<std::size_t>(rank)];
    if (node == rank) {
      node = nodes();
      ranks_.emplace_back();
    } else {
      node =
          node_[static_cast<std::size_t>(node)];  // known already, as the lowest rank comes first
    }
    ranks_[static_cast<std::size_t>(node)].push_back(rank);
  }
}

}  // namespace weft
