// What shortening did to the numbers: sums of warps become those that a codec gives.
#include "local/gpu/warp_sums.hpp"

namespace weft {

namespace {

constexpr unsigned adding_threads = 256;

/// Each thread adds to sums of its own, always in the same order.
__global__ void __launch_bounds__(adding_threads) add_warp_sums(WarpSums all) {
  const unsigned first = blockIdx.x * adding_threads + threadIdx.x;
  EncodingSums mine;
  for (std::uint32_t i = first; i < all.count; i += gridDim.x * adding_threads) {
    mine.add(all.warps[i]);
  }
  all.sums[first].add(mine);
}

}  // namespace

void load_warp_sums() {
  load(add_warp_sums);
}

void launch_warp_sums(gpuStream_t stream, WarpSums all) {
  launch(add_warp_sums, encoding_sums / adding_threads, adding_threads, stream, all);
}

}  // namespace weft
