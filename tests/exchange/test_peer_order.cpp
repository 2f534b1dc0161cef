// In which order ranks turn to each other: pure, for any placement of ranks on nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "exchange/peer_order.hpp"
#include "support/error_text.hpp"

namespace weft {
namespace {

std::vector<Message> to_ranks(int ranks) {
  std::vector<Message> messages;
  for (int peer = 0; peer < ranks; ++peer) messages.push_back({peer, empty_box(1), 1, {}});
  return messages;
}

/// Numbers of the nodes of all ranks.
std::vector<int> random_placement(int nodes, bool alike, std::mt19937& random) {
  std::vector<int> placement;
  const int usual = std::uniform_int_distribution<int>(1, 5)(random);
  for (int node = 0; node < nodes; ++node) {
    const int ranks = alike ? usual : std::uniform_int_distribution<int>(1, 5)(random);
    placement.insert(placement.end(), static_cast<std::size_t>(ranks), 10 * node + 3);
  }
  std::shuffle(placement.begin(), placement.end(), random);
  return placement;
}

int step(const NodeMap& nodes, int from, int to) {
  const int step = (nodes.node(to) - nodes.node(from) + nodes.nodes()) % nodes.nodes();
  return step == 0 ? nodes.nodes() : step;
}

TEST(PeerOrder, StartsWithTheNeighbor) {
  std::vector<Message> messages;
  for (const int peer : {0, 1, 3, 4, 6}) messages.push_back({peer, empty_box(1), 1, {}});
  EXPECT_EQ(staggered(messages, 3), (std::vector<std::size_t>{3, 4, 0, 1}));
  EXPECT_EQ(staggered(messages, 5), (std::vector<std::size_t>{4, 0, 1, 2, 3}));
  EXPECT_EQ(staggered({}, 0), (std::vector<std::size_t>{}));
}

TEST(PeerOrder, IsThatOfRanksOnOneNode) {
  std::vector<Message> messages;
  for (const int peer : {0, 1, 3, 4, 6}) messages.push_back({peer, empty_box(1), 1, {}});
  const NodeMap nodes(std::vector<int>(7, 2));
  EXPECT_EQ(targets_in_ring(messages, 3, nodes), staggered(messages, 3));
  EXPECT_EQ(sources_in_ring(messages, 3, nodes), (std::vector<std::size_t>{1, 0, 4, 3}));
}

TEST(PeerOrder, EachStepIsAPermutationOfTheNodes) {
  std::mt19937 random(5);
  for (int nodes = 1; nodes <= 7; ++nodes) {
    for (const bool alike : {true, false}) {
      const NodeMap map(random_placement(nodes, alike, random));
      int ranks = 0;
      for (int node = 0; node < nodes; ++node) ranks += static_cast<int>(map.ranks(node).size());
      const auto messages = to_ranks(ranks);
      // By step and node: the nodes it sends to.
      std::vector<std::vector<std::set<int>>> reached(
          static_cast<std::size_t>(nodes + 1), std::vector<std::set<int>>(std::size_t(nodes)));
      std::vector<std::vector<int>> turns;
      for (int rank = 0; rank < ranks; ++rank) {
        std::vector<int> seen, steps;
        for (const std::size_t i : targets_in_ring(messages, rank, map)) {
          const int peer = messages[i].peer;
          seen.push_back(peer);
          steps.push_back(step(map, rank, peer));
          reached[std::size_t(steps.back())][std::size_t(map.node(rank))].insert(map.node(peer));
        }
        EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
        turns.push_back(seen);
        std::sort(seen.begin(), seen.end());
        std::vector<int> others(static_cast<std::size_t>(ranks));
        std::iota(others.begin(), others.end(), 0);
        others.erase(others.begin() + rank);
        EXPECT_EQ(seen, others);
      }
      for (int d = 1; d < nodes; ++d) {
        std::set<int> targets;
        for (const auto& one : reached[std::size_t(d)]) {
          ASSERT_EQ(one.size(), 1u) << "a node sends to several in step " << d;
          EXPECT_TRUE(targets.insert(*one.begin()).second) << "two nodes send to one, step " << d;
        }
      }
      if (!alike) continue;
      for (std::size_t turn = 0; turn + 1 < std::size_t(ranks); ++turn) {
        std::set<int> targets;
        for (const auto& of_rank : turns) targets.insert(of_rank[turn]);
        EXPECT_EQ(targets.size(), std::size_t(ranks)) << "two ranks send to one, turn " << turn;
      }
    }
  }
}

TEST(PeerOrder, SourcesAreInTheOrderOfTheirSteps) {
  std::mt19937 random(6);
  const NodeMap map(random_placement(4, true, random));
  const int ranks = 4 * static_cast<int>(map.ranks(0).size());
  const auto messages = to_ranks(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    const auto sources = sources_in_ring(messages, rank, map);
    ASSERT_EQ(sources.size(), std::size_t(ranks - 1));
    for (std::size_t turn = 0; turn < sources.size(); ++turn) {
      const auto targets = targets_in_ring(messages, messages[sources[turn]].peer, map);
      EXPECT_EQ(messages[targets[turn]].peer, rank) << "turn " << turn;
    }
  }
}

TEST(PeerOrder, MessagesUnderWayAreANumber) {
  EXPECT_EQ(most_under_way("p2p", "3"), 3u);
  EXPECT_GT(most_under_way("p2p", ""), 1000000u);
  for (const char* wrong : {"0", "-1", "2x", "many"}) {
    EXPECT_EQ(test::error_text([&] { most_under_way("p2p", wrong); }),
              "exchange 'p2p:" + std::string(wrong) +
                  "': the number of messages under way must be a positive integer");
  }
}

}  // namespace
}  // namespace weft
