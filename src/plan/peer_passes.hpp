#pragma once

#include <optional>
#include <vector>

#include "plan/code.hpp"
#include "plan/host_pass.hpp"

namespace weft {

/// Packs and unpacks single messages, each with passes that copy between an array and the message.
class PeerPasses : public PeerPacker {
 public:
  /// `whole` is a copy of the array before to the array after.
  PeerPasses(const Context& context, Stream& stream, const PassSpec& whole, const AxisList& order,
             Movement& movement, const RunMemory& memory);

  int fragments(std::size_t send) const override;
  Index pack_fragment(std::size_t send, int fragment) override;
  void unpack(std::size_t receive) override;
  void copy_own() override;

  Index scratch_bytes() const;

 private:
  /// A part of a message along its slowest axis.
  struct Fragment {
    HostPass pass;
    Index ends_before;  ///< coordinate along that axis
  };
  HostPass copy(const PassSide& source, const PassSide& sink, const Box& box) const;

  const Context& context_;
  Stream& stream_;
  PassSpec whole_;
  AxisList order_;
  Movement& movement_;
  const RunMemory& memory_;
  std::vector<std::vector<Fragment>> pack_;  // none for what stays
  std::vector<std::optional<HostPass>> unpack_;
  std::optional<HostPass> own_;
};

}  // namespace weft
