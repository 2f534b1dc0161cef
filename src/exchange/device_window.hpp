#pragma once

#include <vector>

#include "device/device.hpp"
#include "exchange/communicator.hpp"
#include "exchange/node_window.hpp"

namespace weft {

/// Memory on this rank's device that the devices of all other ranks can read and write.
class DeviceWindow : public WindowPlaces {
 public:
  DeviceWindow(const Communicator& comm, Device& device) : comm_(comm), device_(device) {}
  /// Collective, when this rank's streams have done what they were given.
  ~DeviceWindow();
  DeviceWindow(const DeviceWindow&) = delete;
  DeviceWindow& operator=(const DeviceWindow&) = delete;

  /// Collective. Throws SharedMemoryError on all ranks where there is not enough memory, or where
  /// it cannot be shared.
  void allocate();
  /// Address, for this rank's device, of what a rank has reserved at `place`.
  std::byte* address(int rank, Index place) const;
  std::uint64_t* counter(int rank, Index place) const;

  const Communicator& communicator() const { return comm_; }

 private:
  const Communicator& comm_;
  Device& device_;
  std::vector<std::byte*> base_;      // by rank; counters come first
  std::vector<Index> counter_bytes_;  // by rank
};

}  // namespace weft
