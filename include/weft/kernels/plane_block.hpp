#pragma once

// What a block of threads of a GPU does in a pass over planes. Blocks must start in the order of
// their numbers, and loads must see what other blocks have stored, which is known of NVIDIA's GPUs
// with their own compiler.
#include <algorithm>

#include "weft/kernels/gpu_team.hpp"
#include "weft/kernels/plane_pass.hpp"

namespace weft::stockham {

namespace {

/// A pass over the lines of planes: how it loads and stores numbers, and its shape.
template <class Load_, class Store_, class Shape_>
struct PlaneAxis {
  using Load = Load_;
  using Store = Store_;
  using Shape = Shape_;
};

/// A shape with no more threads than that of the other axis has: each does more.
template <class Shape, class Other>
using Narrowed =
    typename Shape::template WithThreads<std::min(Shape::block_threads, Other::block_threads) /
                                         Shape::block_lanes>;

#if WEFT_IS_CUDA

template <class Real, class First, class Second, bool mixed, class Pass>
__device__ void transform_plane_block(const Pass& pass) {
  const PlaneBlock block =
      mixed ? mixed_plane_block(pass, blockIdx.x) : plane_block(pass, blockIdx.x);
  if (!block.exists) return;
  std::uint32_t* const finished = pass.finished + block.plane;
  const auto count = [&] { atomicInc(finished, pass.blocks_of_plane() - 1); };
  const auto transform = [&](const LinePass& lines, auto axis) {
    using Axis = decltype(axis);
    transform_gpu_block<Real, typename Axis::Load, typename Axis::Store, typename Axis::Shape>(
        lines, block.lines);
  };
  if (block.is_second) {
    if (threadIdx.x == 0) {
      while (*static_cast<const volatile std::uint32_t*>(finished) < pass.first_blocks()) {
        __nanosleep(32);
      }
      __threadfence();
      // No block waits for this one: what it stores may still be on its way when it ends.
      count();
    }
    __syncthreads();
    transform(pass.second, Second{});
  } else {
    transform(pass.first, First{});
    if (threadIdx.x == 0) {
      __threadfence();
      count();
    }
  }
}

#endif

}  // namespace

}  // namespace weft::stockham
