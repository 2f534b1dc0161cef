#pragma once

#include <optional>

#include "plan/channel.hpp"
#include "weft/report.hpp"

namespace weft {

/// What channels did when they were last used: by redistribution, then by chunk.
using ChannelUses = std::vector<std::vector<ChannelUse>>;

Report make_report(const ChannelUses& uses, std::optional<double> tolerance);

/// Of the last use of these channels.
Report make_report(const Channels& channels, std::optional<double> tolerance);

/// What channels of one direction did for each field of a transform of many.
class FieldUses {
 public:
  /// Makes room for so many fields; the other functions allocate nothing.
  void reserve(std::size_t fields, const Channels& channels);
  /// Of the transform that follows.
  void begin(std::size_t fields) { count_ = fields; }
  /// Remembers the last use of these channels as that for one field.
  void keep(std::size_t field, const Channels& channels);

  std::size_t count() const { return count_; }
  const ChannelUses& operator[](std::size_t field) const { return uses_[field]; }

 private:
  std::vector<ChannelUses> uses_;
  std::size_t count_ = 0;
};

}  // namespace weft
