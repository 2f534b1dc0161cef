#include "exchange/node_routes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft {

NodeRoutes::NodeRoutes(NodeMap map, int leaders) : map_(std::move(map)) {
  for (int node = 0; node < map_.nodes(); ++node) {
    const std::vector<int>& ranks = map_.ranks(node);
    const auto groups = std::min(static_cast<std::size_t>(leaders), ranks.size());
    auto& of_node = of_nodes_.emplace_back();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (i * groups / ranks.size() == of_node.size()) of_node.push_back(ranks[i]);
      const auto rank = static_cast<std::size_t>(ranks[i]);
      leader_.resize(std::max(leader_.size(), rank + 1));
      leader_[rank] = of_node.back();
    }
  }
}

int NodeRoutes::taker(int sending_leader, int node) const {
  const int from = map_.node(sending_leader);
  const auto& senders = of_nodes_[static_cast<std::size_t>(from)];
  const auto& takers = of_nodes_[static_cast<std::size_t>(node)];
  const auto number = static_cast<std::size_t>(
      std::find(senders.begin(), senders.end(), sending_leader) - senders.begin());
  return takers[(number + static_cast<std::size_t>(from)) % takers.size()];
}

std::vector<std::vector<RoutedMessage>> exchange_lists(
    const Communicator& comm, const std::vector<std::vector<RoutedMessage>>& lists) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  constexpr std::size_t numbers = 3;  // of each message
  std::vector<int> send_counts(ranks), send_places(ranks), counts(ranks), places(ranks);
  std::vector<Index> sent;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    send_counts[rank] = static_cast<int>(lists[rank].size() * numbers);
    send_places[rank] = static_cast<int>(sent.size());
    for (const RoutedMessage& message : lists[rank]) {
      sent.insert(sent.end(), {message.from, message.to, message.bytes});
    }
  }
  check_mpi(MPI_Alltoall(send_counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, comm.get()),
            "MPI_Alltoall");
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::vector<Index> received(static_cast<std::size_t>(places.back() + counts.back()));
  check_mpi(MPI_Alltoallv(sent.data(), send_counts.data(), send_places.data(), MPI_INT64_T,
                          received.data(), counts.data(), places.data(), MPI_INT64_T, comm.get()),
            "MPI_Alltoallv");
  std::vector<std::vector<RoutedMessage>> result(ranks);
  auto next = received.begin();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(counts[rank]) / numbers; ++i) {
      const int from = static_cast<int>(*next++), to = static_cast<int>(*next++);
      result[rank].push_back({from, to, *next++});
    }
  }
  return result;
}

}  // namespace weft
