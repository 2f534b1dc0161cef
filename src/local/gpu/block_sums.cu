// What shortening did to the numbers: sums of blocks of threads become those that a codec gives.
#include "local/gpu/lines.hpp"

namespace weft {

namespace {

constexpr unsigned threads = 256;

/// Each thread adds to sums of its own, always in the same order.
__global__ void __launch_bounds__(threads) add_block_sums(BlockSums all) {
  const unsigned first = blockIdx.x * threads + threadIdx.x;
  EncodingSums mine;
  for (std::uint32_t i = first; i < all.count; i += gridDim.x * threads) {
    stockham::add(mine, all.blocks[i]);
  }
  stockham::add(all.sums[first], mine);
}

}  // namespace

void load_block_sums() {
  load(add_block_sums);
}

void launch_block_sums(gpuStream_t stream, BlockSums all) {
  launch(add_block_sums, encoding_sums / threads, threads, stream, all);
}

}  // namespace weft
