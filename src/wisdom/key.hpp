#pragma once

#include <string>

#include "device/device.hpp"
#include "schedule/problem.hpp"
#include "weft/options.hpp"

namespace weft {

/// What settings are remembered by.
struct WisdomKey {
  std::string problem;  ///< the transform and the options given for it
  std::string machine;
  std::string node;  ///< limits are remembered by the kind of node alone
};

/// A change of how settings work that makes what was measured before worthless.
inline constexpr int wisdom_version = 1;

/// `given`: options that the caller or the environment has set. `threads` are those of a rank;
/// `own_devices`: no two ranks share one.
WisdomKey wisdom_key(const ResolvedProblem& problem, const Options& given, Index ranks_per_node,
                     int threads, const DeviceInfo& device, bool own_devices = true);
/// "Xeon Gold 6248 x 40, 40 ranks per node, Open MPI 4.1.4": of this process.
std::string wisdom_node(Index ranks_per_node);

}  // namespace weft
