#pragma once

#include "device/device.hpp"

namespace weft::detail {

struct NumberedDevice {
  Device* device;  ///< never closed: memory of programs may outlive what else there is
  int number;
};

/// What HeffteGpu is about.
NumberedDevice current_heffte_gpu();

}  // namespace weft::detail
