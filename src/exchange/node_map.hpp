#pragma once

#include <vector>

#include "exchange/communicator.hpp"
#include "weft/axes.hpp"

namespace weft {

// For tests on a single machine the environment may ask for nodes of so many consecutive ranks
// (WEFT_RANKS_PER_NODE), whatever they run on.

// `node`: the ranks that share memory with this one.

/// A number that the ranks of a node share, with WEFT_RANKS_PER_NODE.
int number_of_node(const Communicator& comm, const Communicator& node);
/// Collective: of the node that has most, with WEFT_RANKS_PER_NODE.
Index most_ranks_per_node(const Communicator& comm, const Communicator& node);

/// Which ranks of a communicator run on the same node.
class NodeMap {
 public:
  /// Collective. `node` is a number that the ranks of a node share and others have not.
  NodeMap(const Communicator& comm, int node);
  /// Of the numbers of all ranks.
  explicit NodeMap(std::vector<int> nodes);

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
