#pragma once

// How functions are applied to blocks in memory of devices: the kernel, for the compilers that have
// them, and the same by the host.

#include <algorithm>
#include <bit>

#include "weft/kernels/gpu_runtime.hpp"
#include "weft/kernels/inline.hpp"
#include "weft/pointwise.hpp"

namespace weft::detail {

// Whether this is compiled by a compiler for GPUs: a part of the names of what differs then, as a
// program may have the same function in files for different compilers.
namespace {
#if defined(__CUDACC__) || defined(__HIPCC__)
constexpr bool compiles_for_gpu = true;
#else
constexpr bool compiles_for_gpu = false;
#endif
}  // namespace

/// Divides by a count and returns the remainder. Short numbers take much less time.
WEFT_HOST_DEVICE inline Index take_coordinate(std::uint64_t& number, Index count) {
  const auto by = static_cast<std::uint64_t>(count);
  if ((number | by) >> 32 == 0) {
    const auto small = static_cast<std::uint32_t>(number), divisor = static_cast<std::uint32_t>(by);
    number = small / divisor;
    return static_cast<Index>(small % divisor);
  }
  const std::uint64_t rest = number % by;
  number /= by;
  return static_cast<Index>(rest);
}

/// Adds to the index along an axis that is known at run time only. Places in the index are known to
/// the compiler, so that it stays in registers.
WEFT_HOST_DEVICE inline void advance_point(Point& point, const PointBlock::Loop& loop, Index by) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll
#endif
  for (int axis = 0; axis < max_axes; ++axis) {
    if (axis == loop.axis) point.index[axis] += by;
  }
  if (loop.axis == point.index.size()) point.field += by;
  point.offset += by * loop.offset;
}

/// Applies a function to every step-th element of a row, from `begin` on. Numbers are in Cells,
/// which may say more of how they are aligned.
template <class Cell, class Function>
WEFT_HOST_DEVICE void apply_to_row(const PointBlock& block, const Function& function,
                                   std::uint64_t row, Index begin, Index step) {
  Point point = block.first;
  Index to = 0, from = 0;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll
#endif
  for (int number = 1; number < PointBlock::most_loops; ++number) {
    if (number >= block.loop_count) continue;
    const PointBlock::Loop& loop = block.loops[number];
    const Index at = take_coordinate(row, loop.count);
    advance_point(point, loop, at);
    to += at * loop.to;
    from += at * loop.from;
  }
  const PointBlock::Loop& along = block.loops[0];
  advance_point(point, along, begin);
  const auto* source = reinterpret_cast<const Cell*>(block.from) + from + begin * along.from;
  auto* target = reinterpret_cast<Cell*>(block.to) + to + begin * along.to;
  for (Index i = begin; i < along.count; i += step) {
    Cell cell = *source;
    if (block.scale != 1) scale_number(cell.number, block.scale);
    function(cell.number, static_cast<const Point&>(point));
    *target = cell;
    source += step * along.from;
    target += step * along.to;
    advance_point(point, along, step);
  }
}

template <class Number>
struct NumberCell {
  Number number;
};
template <class Number>
struct alignas(sizeof(Number)) AlignedCell {
  Number number;
};

#if defined(__CUDACC__) || defined(__HIPCC__)

/// Threads along x share a row, those along y have different ones.
template <class Number, class Function>
__global__ void apply_to_block(WEFT_KERNEL_ARGUMENT PointBlock block,
                               WEFT_KERNEL_ARGUMENT Function function) {
  const std::uint64_t rows = block.rows();
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.y;
  const Index begin = Index{blockIdx.y} * blockDim.x + threadIdx.x;
  for (std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.y + threadIdx.y; row < rows;
       row += step) {
    apply_to_row<AlignedCell<Number>>(block, function, row, begin, Index{gridDim.y} * blockDim.x);
  }
}

/// How many threads there are, and how they are arranged.
struct BlockLaunch {
  dim3 grid, threads;

  explicit BlockLaunch(const PointBlock& block) {
    constexpr std::uint64_t threads_in_cta = 256, warp = 32, enough_ctas = 8192, most_y = 65535;
    const std::uint64_t rows = block.rows();
    const auto count = static_cast<std::uint64_t>(block.loops[0].count);
    const std::uint64_t lanes = std::min(warp, std::bit_ceil(count));
    const std::uint64_t rows_in_cta = threads_in_cta / lanes;
    const std::uint64_t x = std::min((rows + rows_in_cta - 1) / rows_in_cta, enough_ctas);
    const std::uint64_t y = std::min({(count + lanes - 1) / lanes, enough_ctas / x, most_y});
    threads = dim3(static_cast<unsigned>(lanes), static_cast<unsigned>(rows_in_cta));
    grid = dim3(static_cast<unsigned>(x), static_cast<unsigned>(std::max<std::uint64_t>(y, 1)));
  }
};

#endif

/// A function F for numbers of one type.
template <class Number, class F, bool seen_by_gpu>
struct PointKernel {
  static_assert(seen_by_gpu == compiles_for_gpu);
  static void run(const void* function, const PointBlock& block) {
    const std::uint64_t rows = block.rows();
    for (std::uint64_t row = 0; row < rows; ++row) {
      apply_to_row<NumberCell<Number>>(block, *static_cast<const F*>(function), row, 0, 1);
    }
  }

#if defined(__CUDACC__) || defined(__HIPCC__)
  static const void* kernel() {
    return reinterpret_cast<const void*>(&apply_to_block<Number, F>);
  }
  static const char* load() {
    return load_kernel(kernel());
  }
  static const char* launch(const void* function, const PointBlock& block, void* stream) {
    const BlockLaunch shape(block);
    void* arguments[] = {const_cast<PointBlock*>(&block), const_cast<void*>(function)};
    return launch_kernel(kernel(), shape.grid, shape.threads, arguments, 0, stream);
  }
  static constexpr DeviceCalls calls{&run, &load, &launch};
#else
  static constexpr DeviceCalls calls{&run, nullptr, nullptr};
#endif
};

}  // namespace weft::detail
