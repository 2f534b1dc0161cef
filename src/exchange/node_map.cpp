#include "exchange/node_map.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace weft {

namespace {

/// 0: as many as there are.
int pretended_ranks_per_node() {
  const char* text = std::getenv("WEFT_RANKS_PER_NODE");
  return text != nullptr ? std::max(std::atoi(text), 0) : 0;
}

}  // namespace

int number_of_node(const Communicator& comm, const Communicator& node) {
  const int pretended = pretended_ranks_per_node();
  return pretended > 0 ? comm.rank() / pretended : node.rank_in(comm, 0);
}

Index most_ranks_per_node(const Communicator& comm, const Communicator& node) {
  const int pretended = pretended_ranks_per_node();
  int ranks = pretended > 0 ? std::min(pretended, comm.size()) : node.size();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_MAX, comm.get()), "MPI_Allreduce");
  return ranks;
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
