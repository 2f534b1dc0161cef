#include "exchange/node_map.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace weft {

namespace {

/// 0: as many as there are.
int pretended_ranks_per_node() {
  const char* text = std::getenv("WEFT_RANKS_PER_NODE");
  return text != nullptr ? std::max(std::atoi(text), 0) : 0;
}

std::vector<int> gathered(const Communicator& comm, int node) {
  std::vector<int> nodes(static_cast<std::size_t>(comm.size()));
  check_mpi(MPI_Allgather(&node, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm.get()),
            "MPI_Allgather");
  return nodes;
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

NodeMap::NodeMap(const Communicator& comm, int node) : NodeMap(gathered(comm, node)) {}

NodeMap::NodeMap(std::vector<int> nodes) : node_(std::move(nodes)) {
  std::map<int, int> numbers;
  for (std::size_t rank = 0; rank < node_.size(); ++rank) {
    const auto [known, is_new] = numbers.emplace(node_[rank], this->nodes());
    if (is_new) ranks_.emplace_back();
    node_[rank] = known->second;
    ranks_[static_cast<std::size_t>(known->second)].push_back(static_cast<int>(rank));
  }
}

}  // namespace weft
