#pragma once

#include <vector>

#include "exchange/communicator.hpp"
#include "geometry/layout.hpp"

namespace weft {

/// Which ranks of a communicator run on the same node.
class NodeMap {
 public:
  /// Collective. With `ranks_per_node`, nodes of so many consecutive ranks are pretended.
  NodeMap(const Communicator& comm, Index ranks_per_node);

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
