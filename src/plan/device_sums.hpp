#pragma once

#include <memory>

#include "device/device.hpp"
#include "plan/encoding.hpp"

namespace weft {

/// What encoding on a device has done, summed up there and brought to the host.
class DeviceSums {
 public:
  DeviceSums(Device& device, Queue& queue);

  EncodingSums* data() const { return reinterpret_cast<EncodingSums*>(on_device_.data()); }
  /// Puts into the queue that all sums are zero.
  void clear();
  /// Puts into the queue that they are brought to the host.
  void fetch();
  /// Waits until they have been brought, and adds them up.
  void read(Encoding& encoding);

 private:
  struct FreeStaging {
    Device* device = nullptr;
    void operator()(std::byte* memory) const { device->free_staging(memory); }
  };

  Device& device_;
  Queue& queue_;
  DeviceBuffer on_device_;
  std::unique_ptr<std::byte, FreeStaging> on_host_;
  std::unique_ptr<Event> fetched_;
};

}  // namespace weft
