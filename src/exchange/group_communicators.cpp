#include "exchange/group_communicators.hpp"

namespace weft {

const Communicator& GroupCommunicators::of(const Group& group) {
  if (group.fixed.empty()) return everybody_;
  for (const auto& [known, communicator] : known_) {
    if (known == group) return *communicator;
  }
  const int rank = everybody_.rank();
  auto split = Communicator::split(everybody_.get(), static_cast<int>(group.color(rank)), rank);
  known_.emplace_back(group, std::make_unique<Communicator>(std::move(split)));
  return *known_.back().second;
}

}  // namespace weft
