#pragma once

#include <vector>

#include "exchange/node_map.hpp"
#include "weft/axes.hpp"

namespace weft {

/// Which leaders carry messages between nodes. The ranks of a node form as many groups as it has
/// leaders, and the lowest rank of each group is its leader.
class NodeRoutes {
 public:
  /// Nodes of fewer ranks than `leaders` have only leaders.
  NodeRoutes(NodeMap map, int leaders);

  const NodeMap& map() const { return map_; }
  bool same_node(int a, int b) const { return map_.node(a) == map_.node(b); }
  int leader(int rank) const { return leader_[static_cast<std::size_t>(rank)]; }
  /// The leader that takes what another one sends to a node; these share the work evenly.
  int taker(int sending_leader, int node) const;

 private:
  NodeMap map_;
  std::vector<int> leader_;                 // of each rank
  std::vector<std::vector<int>> of_nodes_;  // leaders of each node
};

/// What is known of a message on its way through leaders.
struct RoutedMessage {
  int from;
  int to;
  Index bytes;
};

/// Collective. Gives each rank the lists that others have for it, in the order of these ranks.
/// `lists` has one for each rank; the result has one for each rank, too.
std::vector<std::vector<RoutedMessage>> exchange_lists(
    const Communicator& comm, const std::vector<std::vector<RoutedMessage>>& lists);

}  // namespace weft
