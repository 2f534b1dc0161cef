#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedule/stage.hpp"

namespace weft {

/// How much data is worked on at a time.
struct CacheSizes {
  /// With tiles of that size, blocks of several axes may fill eight of them: a second pass over
  /// memory costs more than what does not fit.
  CacheSizes(Index bytes_of_tile) : tile(bytes_of_tile), group(8 * bytes_of_tile) {}
  CacheSizes(Index bytes_of_tile, Index bytes_of_group)
      : tile(bytes_of_tile), group(bytes_of_group) {}

  Index tile;   ///< bytes of a tile, input and output together
  Index group;  ///< bytes, input and output, of a block whose axes are transformed together
};

/// What messages cost while all ranks send.
struct Link {
  double bandwidth;  ///< bytes per second
  double latency;    ///< seconds that a rank takes for a message
};

/// What the cost model knows of a machine: two levels, ranks within a node and nodes, while all of
/// them are busy. Ranks are dealt to the nodes in blocks.
struct Machine {
  double memory_bandwidth = 8e9;  ///< of a rank: bytes read plus bytes written per second
  double flops = 4e9;             ///< of a rank: operations per second of the local FFT
  double prime_flops = 4e8;       ///< the same for lengths with prime factors above 13
  /// Bytes that a pass reads and writes at that bandwidth; those beyond them take `memory_taper`
  /// times as long, as where lines are far apart and translations of addresses no longer fit.
  double memory_reach = 1e18;
  double memory_taper = 1;
  /// A pass that reads and writes at most so many bytes finds them in caches, at that bandwidth.
  double cache_bytes = 1;
  double cache_bandwidth = 8e9;
  Link node = {2e9, 2e-6};        ///< of a rank, to others on its node
  Link network = {12.5e9, 2e-6};  ///< of a whole node, whose ranks share it, to other nodes
  /// Nodes that reach each other at the full bandwidth, such as those of one switch.
  double island_nodes = 1e9;
  double taper = 1;  ///< bytes to nodes beyond them take so many times as long
  Index ranks_per_node = std::numeric_limits<Index>::max();  ///< default: there is one node
  CacheSizes caches = 1 << 20;
};

/// The numbers of a machine under the names that files and the command line use, such as
/// "network.bandwidth".
std::vector<std::pair<std::string_view, double*>> figures(Machine& machine);
/// Sets one of them to a positive number, "2e10", or multiplies it, "4x". Throws Error for other
/// values and for names that there are not.
void set_figure(Machine& machine, const std::string& name, const std::string& value);

/// What one rank sends in a redistribution. What stays on a rank is part of the passes before and
/// after.
struct Traffic {
  double node_bytes = 0;
  double network_bytes = 0;
  double node_messages = 0;
  double network_messages = 0;
  double far = 0;  ///< share of network_bytes that leaves the island, see Machine::island_nodes
};

/// Of rank 0, scaled within the node to the bytes of the rank that has most, and between nodes to
/// those of a rank of the first node, on average. `group`: the ranks that rank 0
/// exchanges data with, see Group. Other groups exchange data at the same time through the same
/// links, so what leaves an island depends on the nodes of all ranks, not on those of the group.
Traffic traffic(const ArrayState& before, const ArrayState& after, const Group& group,
                Index bytes_per_element, const Machine& machine);

/// Seconds of the busiest rank for it. Both levels work at a time (the max-rate model of W. Gropp,
/// L. Olson and P. Samfass, EuroMPI 2016, at each of them): within a node each rank has a bandwidth
/// of its own, between nodes the ranks of a node share one.
double seconds(const Traffic& traffic, const Machine& machine);

/// Bytes per second that a rank can send to others where there are several nodes, or within one.
double sent_per_second(const Machine& machine, Index ranks);

/// Predicted seconds of a stage on the rank that has most to do, the same for every caller. A pass
/// takes as long as its arithmetic in cache and its traffic with memory, one after the other.
double predicted_seconds(const Stage& stage, Precision precision, const Machine& machine);
/// Those of all stages, less what is hidden: of a redistribution in n chunks, all but the first is
/// under way while the passes next to it work, as far as these last.
double predicted_seconds(const Schedule& schedule, Precision precision, const Machine& machine);

}  // namespace weft
