#pragma once

#include "device/encoding_sums.hpp"
#include "device/gpu/launch.hpp"

namespace weft {

/// Of a pass over lines in pieces: sums of its warps, and encoding_sums to add them to.
struct WarpSums {
  const EncodingSums* warps;
  EncodingSums* sums;
  std::uint32_t count;
};
void load_warp_sums();
void launch_warp_sums(gpuStream_t stream, WarpSums all);

}  // namespace weft
