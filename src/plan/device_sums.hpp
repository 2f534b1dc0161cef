#pragma once

#include <memory>

#include "device/buffer.hpp"
#include "plan/message_codec.hpp"

namespace weft {

/// What encoding on a device has done, summed up there and brought to the host.
class DeviceSums {
 public:
  explicit DeviceSums(Stream& stream);

  EncodingSums* data() const { return reinterpret_cast<EncodingSums*>(on_device_.data()); }
  /// Submits that all sums become zero.
  void clear();
  /// Submits that they are brought to the host.
  void fetch();
  /// Waits until they have been brought, and adds them up.
  void read(MessageCodec& encoding);

 private:
  Stream& stream_;
  Buffer on_device_;
  Buffer on_host_;
  std::unique_ptr<Event> fetched_;
};

}  // namespace weft
