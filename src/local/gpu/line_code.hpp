#pragma once

// What kernels for passes over lines do. Compilers of GPUs see this at run time (line_kernel.hpp),
// so headers of the standard library may be used as far as device/gpu/standard_names.hpp goes.
#include "device/gpu/standard_names.hpp"  // before all others

#include "device/gpu/lanes.hpp"
#include "local/line_real_forms.hpp"
#include "local/piece_forms.hpp"
#include "weft/kernels/fetched_lines.hpp"
#include "weft/kernels/plane_block.hpp"

namespace weft::stockham {

namespace {

template <LineForm form, class Real, class Shape>
__device__ void transform_lines(const LinePass& pass) {
  using Form = Forms<form, Real>;
  transform_gpu_block<Real, typename Form::Load, typename Form::Store, Shape>(
      pass, {blockIdx.x * Shape::block_lanes, pass.lines});
}

#if WEFT_IS_CUDA

template <class Real, class Shape>
__device__ void transform_wide_lines(const LinePass& pass) {
  transform_fetched_blocks<Real, WholeLoad<Real>, WholeStore<Real>, Shape>(pass);
}

template <LineForm first, LineForm second, class Real, class FirstShape, class SecondShape,
          bool mixed>
__device__ void transform_planes(const PlanePass<>& pass) {
  using One = Narrowed<FirstShape, SecondShape>;
  using Other = Narrowed<SecondShape, FirstShape>;
  using Access = std::conditional_t<mixed, StreamAccess, PlainAccess>;
  transform_plane_block<
      Real, PlaneAxis<WholeLoad<Real, Access>, typename Forms<first, Real>::Store, One>,
      PlaneAxis<typename Forms<second, Real>::Load, WholeStore<Real, Access>, Other>, mixed>(pass);
}

#endif

/// Adds up what the threads of a warp have found, in the same order every time. Nobody waits.
__device__ inline void add_sums_of_warp(EncodingSums mine, EncodingSums* warps) {
  static_assert(group_lanes == PieceLines::warp);
  const int lane = static_cast<int>(threadIdx.x) % group_lanes;
  for (int distance = group_lanes / 2; distance > 0; distance /= 2) {
    mine.add(of_lane(mine, lane ^ distance));
  }
  const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number % PieceLines::warp == 0) warps[number / PieceLines::warp] = mine;
}

template <LineForm form, class Real, class Shape, int in_per_lookup, int out_per_lookup>
__device__ void transform_pieces(const PieceLines& pass) {
  using Form = PieceForms<form, Real, in_per_lookup, out_per_lookup>;
  const BlockLines lines{blockIdx.x * Shape::block_lanes, pass.lines};
  enter_places<Real>(pass, lines, threadIdx.x, blockDim.x);
  const auto each_sums = [&](const auto& work) {
    for (std::uint32_t i = 0; i < pass.sides.out.sum_count; ++i) {
      work(i, PieceMemory<Real>::sums(pass, i));
    }
  };
  each_sums([](std::uint32_t, EncodingSums& mine) { mine = {}; });
  __syncthreads();
  transform_gpu_block<Real, typename Form::Load, typename Form::Store, Shape>(pass, lines);
  each_sums([&](std::uint32_t i, const EncodingSums& mine) {
    add_sums_of_warp(mine, pass.sides.out.warp_sums + i * pass.warps());
  });
}

}  // namespace

}  // namespace weft::stockham
