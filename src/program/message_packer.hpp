#pragma once

#include <memory>
#include <vector>

#include "program/program.hpp"

namespace weft {

/// Packs and unpacks single messages, each with passes that copy between an array and the message.
class MessagePacker : public Packer {
 public:
  /// `whole` is a copy of the array before to the array after.
  MessagePacker(const Context& context, Stream& stream, const PassSpec& whole,
                const AxisList& order, Redistribution& redistribution, const RunMemory& memory);

  int fragments(std::size_t send) const override { return static_cast<int>(pack_[send].size()); }
  Index pack_fragment(std::size_t send, int fragment) override;
  void unpack(std::size_t receive) override { run(*unpack_[receive]); }
  void copy_own() override {
    if (own_) run(*own_);
  }

  Index scratch_bytes() const { return scratch_bytes_; }

 private:
  /// A part of a message along its slowest axis.
  struct Fragment {
    std::unique_ptr<Pass> pass;
    Index ends_before;  ///< coordinate along that axis
  };
  std::unique_ptr<Pass> copy(const PassSide& source, const PassSide& sink, const Box& box);
  void run(const Pass& pass) const {
    pass.run({memory_.addresses, memory_.packer_scratch, memory_.callbacks});
  }

  const Context& context_;
  Stream& stream_;
  PassSpec whole_;
  AxisList order_;
  Redistribution& redistribution_;
  const RunMemory& memory_;
  std::vector<std::vector<Fragment>> pack_;  // none for what stays
  std::vector<std::unique_ptr<Pass>> unpack_;
  std::unique_ptr<Pass> own_;
  Index scratch_bytes_ = 0;
};

}  // namespace weft
