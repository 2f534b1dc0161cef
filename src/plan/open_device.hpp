#pragma once

#include <memory>

#include "device/device.hpp"
#include "exchange/communicator.hpp"
#include "weft/options.hpp"

namespace weft {

/// The device that ranks work on, and the caller's stream.
struct OpenDevice {
  int number = -1;  ///< -1: the host
  std::shared_ptr<Device> device;
  std::shared_ptr<Stream> stream;
};

/// Collective: opens the device that the options ask for, unless it is the host. `node` has the
/// ranks of `comm` that share this rank's machine. Throws Error on all ranks where some rank has
/// none, or two ranks have the same one.
OpenDevice open_device(const Options& options, const Communicator& comm, const Communicator& node);

}  // namespace weft
