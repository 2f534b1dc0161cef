#pragma once

#include <vector>

#include "exchange/communicator.hpp"

namespace weft {

/// Collective: the lowest rank on the node of this one, a number that all ranks there share.
int node_of_this_rank(const Communicator& comm);

/// Which ranks of a communicator run on the same node.
class NodeMap {
 public:
  /// Collective. `node` is a number that the ranks of a node share and others have not.
  NodeMap(const Communicator& comm, int node);

  int nodes() const { return static_cast<int>(ranks_.size()); }
  /// Nodes are numbered by their lowest ranks.
  int node(int rank) const { return node_[static_cast<std::size_t>(rank)]; }
  /// Ranks of a node, in increasing order.
  const std::vector<int>& ranks(int node) const { return ranks_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<int> node_;  // of each rank
  std::vector<std::vector<int>> ranks_;
};

}  // namespace weft
