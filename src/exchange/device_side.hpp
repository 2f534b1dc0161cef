#pragma once

#include <memory>

#include "device/device.hpp"

namespace weft {

class DeviceWindow;

/// Where exchanges of messages in the memory of a device put their work. Those of a field in flight
/// share it.
struct DeviceSide {
  Device* device = nullptr;
  Queue* compute = nullptr;        ///< of the passes before and after
  Queue* send = nullptr;           ///< what goes to others
  Queue* own = nullptr;            ///< what stays, or what comes from the host
  DeviceWindow* window = nullptr;  ///< null unless the exchange needs one
};

/// Lets one queue go on when another one has come to where it is now.
class Handover {
 public:
  explicit Handover(Device& device) : device_(&device), event_(device.make_event()) {}
  void operator()(Queue& from, Queue& to) {
    device_->record(*event_, from);
    device_->wait(to, *event_);
  }

 private:
  Device* device_;
  std::unique_ptr<Event> event_;
};

}  // namespace weft
