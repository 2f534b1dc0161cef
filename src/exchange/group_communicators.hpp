#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "exchange/communicator.hpp"
#include "schedule/stage.hpp"

namespace weft {

/// Communicators of the groups of ranks that redistribute among themselves: stages between the same
/// ranks share one.
class GroupCommunicators {
 public:
  /// `everybody` outlives this.
  explicit GroupCommunicators(const Communicator& everybody) : everybody_(everybody) {}

  /// Collective over everybody.
  const Communicator& of(const Group& group);

 private:
  const Communicator& everybody_;
  std::vector<std::pair<Group, std::unique_ptr<Communicator>>> known_;
};

}  // namespace weft
