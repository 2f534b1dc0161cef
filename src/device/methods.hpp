#pragma once

#include "device/device.hpp"

namespace weft {

// Rows of the registry.
DeviceMethod emulated_method();
#ifdef WEFT_HAVE_GPU
DeviceMethod gpu_method();
#endif

}  // namespace weft
