#pragma once

#include "device/device.hpp"

namespace weft {

// Rows of the registry.
DeviceMethod emulated_method();
#ifdef WEFT_HAVE_GPU
DeviceMethod gpu_method();
/// Number of the GPU that is this thread's current one.
int current_gpu();
#endif

}  // namespace weft
