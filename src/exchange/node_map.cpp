#include "exchange/node_map.hpp"

#include <map>

namespace weft {

int node_of_this_rank(const Communicator& comm) {
  return Communicator::split_by_node(comm).rank_in(comm, 0);
}

NodeMap::NodeMap(const Communicator& comm, int node)
    : node_(static_cast<std::size_t>(comm.size())) {
  check_mpi(MPI_Allgather(&node, 1, MPI_INT, node_.data(), 1, MPI_INT, comm.get()),
            "MPI_Allgather");
  std::map<int, int> numbers;
  for (int rank = 0; rank < comm.size(); ++rank) {
    int& given = node_[static_cast<std::size_t>(rank)];
    const auto [known, is_new] = numbers.emplace(given, nodes());
    if (is_new) ranks_.emplace_back();
    given = known->second;
    ranks_[static_cast<std::size_t>(given)].push_back(rank);
  }
}

}  // namespace weft
