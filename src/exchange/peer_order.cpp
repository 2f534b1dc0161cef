#include "exchange/peer_order.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "exchange/positive_parameter.hpp"

namespace weft {

namespace {

/// Among the ranks of its node.
int place_on_node(int rank, const NodeMap& nodes) {
  const auto& ranks = nodes.ranks(nodes.node(rank));
  return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

/// When `target` is the turn of `source`: the step of the ring, and the turn within it.
std::pair<int, int> turn(int source, int target, const NodeMap& nodes) {
  const int count = nodes.nodes();
  const int step = (nodes.node(target) - nodes.node(source) + count) % count;
  const auto size = static_cast<int>(nodes.ranks(nodes.node(target)).size());
  const int offset = place_on_node(target, nodes) - place_on_node(source, nodes) % size;
  return {step == 0 ? count : step, (offset + size) % size};
}

template <class Turn>
std::vector<std::size_t> by_turn(const std::vector<Message>& messages, int own_rank,
                                 const Turn& turn_of) {
  std::vector<std::pair<std::pair<int, int>, std::size_t>> turns;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].peer != own_rank) turns.emplace_back(turn_of(messages[i].peer), i);
  }
  std::sort(turns.begin(), turns.end());
  std::vector<std::size_t> order;
  for (const auto& each : turns) order.push_back(each.second);
  return order;
}

}  // namespace

std::vector<std::size_t> staggered(const std::vector<Message>& messages, int own_rank) {
  std::vector<std::size_t> later, earlier;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].peer > own_rank) later.push_back(i);
    if (messages[i].peer < own_rank) earlier.push_back(i);
  }
  later.insert(later.end(), earlier.begin(), earlier.end());
  return later;
}

std::vector<std::size_t> targets_in_ring(const std::vector<Message>& messages, int own_rank,
                                         const NodeMap& nodes) {
  return by_turn(messages, own_rank, [&](int peer) { return turn(own_rank, peer, nodes); });
}

std::vector<std::size_t> sources_in_ring(const std::vector<Message>& messages, int own_rank,
                                         const NodeMap& nodes) {
  return by_turn(messages, own_rank, [&](int peer) { return turn(peer, own_rank, nodes); });
}

std::size_t most_under_way(const char* exchange, const std::string& parameter) {
  if (parameter.empty()) return std::numeric_limits<std::size_t>::max();
  return positive_parameter<std::size_t>(exchange, parameter, "the number of messages under way");
}

}  // namespace weft
