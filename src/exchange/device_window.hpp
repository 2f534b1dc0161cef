#pragma once

#include "device/device.hpp"
#include "exchange/shared_window.hpp"

namespace weft {

/// Memory on this rank's device that the devices of all other ranks can read and write.
class DeviceWindow : public SharedWindow {
 public:
  DeviceWindow(const Communicator& comm, Device& device) : comm_(comm), device_(device) {}
  /// Collective, when this rank's streams have done what they were given.
  ~DeviceWindow() override;

  void allocate() override;
  const Communicator& ranks() const override { return comm_; }

 private:
  const Communicator& comm_;
  Device& device_;
};

}  // namespace weft
