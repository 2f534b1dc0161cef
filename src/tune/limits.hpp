#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "schedule/machine.hpp"

namespace weft {

struct MessageTime {
  Index bytes;
  double seconds;
};

/// What this machine can do at best when all ranks of a communicator, with as many threads as plans
/// give them, are busy: the ceilings that a distributed transform can be held against.
struct Limits {
  int ranks = 1;
  /// Copying arrays larger than the caches: bytes read plus bytes written per second, all ranks.
  double memory_bytes_per_second = 0;
  /// The same of arrays that a rank finds in its caches, and how large these are together where
  /// there is a third array for the next pass.
  double cache_bytes_per_second = 0;
  double cache_bytes = 0;
  /// One-way time of a message from the first to the last rank by size (half of there and back), as
  /// with every ping-pong test. Empty for one rank.
  std::vector<MessageTime> pair;
  /// Time of MPI_Alltoall by the bytes that each rank sends, its own part included. Empty for one
  /// rank.
  std::vector<MessageTime> alltoall;
  /// Complex transforms of 256 points in cache, double precision, 5 n log2 n operations each: per
  /// second, all ranks.
  double fft_flops = 0;
  double prime_fft_flops = 0;  ///< the same of 139 points, a prime number
  int ranks_per_node = 1;      ///< of the node that has most
  /// All ranks send to all others of their node, on all nodes at a time: of one rank. None where no
  /// two ranks share a node.
  std::optional<Link> node;
  /// Each rank sends to one rank on each of the other nodes, all at a time: of one node. None where
  /// there is one node.
  std::optional<Link> network;
};

/// Collective; takes a few seconds. Each figure is the best of several repetitions.
Limits measure_limits(const Communicator& comm);

/// What the cost model needs of them.
Machine machine_of(const Limits& limits);
/// "flops=4e+09, node.latency=2e-06": of these figures those that were measured.
std::string measured_figures(const Limits& limits);

}  // namespace weft
