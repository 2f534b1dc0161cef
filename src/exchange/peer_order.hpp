#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/node_map.hpp"

namespace weft {

// In which order a rank turns to others, so that not all of them begin with the same one. Results
// are positions in `messages`, without the message to oneself.

/// The ranks after this one come first.
std::vector<std::size_t> staggered(const std::vector<Message>& messages, int own_rank);

/// Nodes form a ring. In step d every node sends to the d-th node after it, so that no two nodes
/// send to the same node at a time; within a step a rank begins with the rank that has its own
/// place on the other node. What stays on the node comes last, as it takes least time. Algorithm 3
/// of the report on approximate FFTs by the Innovative Computing Laboratory, University of
/// Tennessee.
std::vector<std::size_t> targets_in_ring(const std::vector<Message>& messages, int own_rank,
                                         const NodeMap& nodes);
/// The order in which their messages are sent to this rank.
std::vector<std::size_t> sources_in_ring(const std::vector<Message>& messages, int own_rank,
                                         const NodeMap& nodes);

/// The parameter of exchanges that limit how many messages of a rank are under way at a time; a
/// number that none reaches where it is empty. Throws Error unless it is a positive integer.
std::size_t most_under_way(const char* exchange, const std::string& parameter);
inline constexpr const char* under_way_parameter = "messages in flight (all)";

}  // namespace weft
