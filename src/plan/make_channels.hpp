#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plan/channel.hpp"
#include "schedule/stage.hpp"

namespace weft {

class WindowPlaces;

/// How the messages of a plan travel.
struct ChannelSettings {
  ExchangeChoice exchange;
  std::string codec = "auto";
  std::optional<double> tolerance;
  Index count_limit = 0;
  int node = 0;  ///< a number that the ranks of a node share
  NodeWindow* window = nullptr;
  WindowPlaces* places = nullptr;  ///< of that window, or of the one of the devices
  const DeviceSide* device = nullptr;
  const Communicator* everybody = nullptr;
  /// The communicator of a group of ranks that redistribute among themselves.
  std::function<const Communicator&(const Group&)> group;
};

/// Collective: makes the exchanges of a schedule.
Channels make_channels(const Schedule& schedule, const Problem& problem,
                       const ChannelSettings& settings);

/// Throws Error unless the name is a codec's that can be used with this precision, "lossless",
/// "none", "auto", or with a tolerance the name of a family without parameter.
void check_codec(const std::string& name, Precision precision, bool has_tolerance);

/// Whether messages are compressed as a whole, without loss.
bool is_lossless(const std::string& codec);

/// Elements of the longest block of any codec in use; 1 without codecs.
Index largest_block(const Channels& channels);

/// How the array lies in memory of an exchange where it lands.
Memory landing_memory(const RedistributeStage& stage);

/// The messages of a block as an exchange needs them. `comm` holds the ranks of its group, in
/// increasing order.
ExchangeSetup exchange_setup(const RedistributeStage& stage, const Block& block,
                             const Problem& problem, const Communicator& comm);

}  // namespace weft
