#pragma once

#include "device/device.hpp"
#include "device/gpu/api.hpp"

namespace weft {

// Flags without kernels, for GPUs that ranks share. Without MPS the processes of a GPU take turns,
// and a kernel that waits for another process would wait for its whole turn; a queue that waits
// gives it up.

/// Looks up what the other two need.
void load_flag_operations();
void submit_signal(gpuStream_t stream, const Flags& flags);
void submit_await(gpuStream_t stream, const Flags& flags);

}  // namespace weft
