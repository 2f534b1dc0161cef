#pragma once

// Kernels for passes over lines in pieces, compiled for each precision on its own, as that takes
// long.
#include "device/gpu/lanes.hpp"
#include "local/gpu/lines.hpp"
#include "local/piece_forms.hpp"

namespace weft {

namespace {

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

template <LineForm form, class Real, class Shape>
[[gnu::always_inline]] __device__ inline void transform_piece_block(const PieceLines& pass,
                                                                    const BlockLines& lines) {
  using Forms = stockham::PieceForms<form, Real>;
  stockham::enter_places<Real>(pass, lines, threadIdx.x, blockDim.x);
  const auto each_sums = [&](const auto& work) {
    for (std::uint32_t i = 0; i < pass.sides.out.sum_count; ++i) {
      work(i, stockham::PieceMemory<Real>::sums(pass, i));
    }
  };
  each_sums([](std::uint32_t, EncodingSums& mine) { mine = {}; });
  __syncthreads();
  stockham::transform_gpu_block<Real, typename Forms::Load, typename Forms::Store, Shape>(pass,
                                                                                          lines);
  each_sums([&](std::uint32_t i, const EncodingSums& mine) {
    add_sums_of_warp(mine, pass.sides.out.warp_sums + i * pass.warps());
  });
}

template <LineForm form, class Real, class Shape, int blocks = stockham::fused_blocks<Real, Shape>>
__global__ void __launch_bounds__(Shape::block_threads, blocks)
    transform_known_pieces(WEFT_KERNEL_ARGUMENT PieceLines pass) {
  transform_piece_block<form, Real, Shape>(pass, {blockIdx.x * Shape::block_lanes, pass.lines});
}

template <LineForm form, class Real>
__global__ void __launch_bounds__(most_line_threads(sizeof(Real) == sizeof(double)))
    transform_any_pieces(WEFT_KERNEL_ARGUMENT PieceLines pass) {
  transform_piece_block<form, Real, stockham::AnyShape>(
      pass, {blockIdx.x * pass.lanes.count, pass.lines});
}

template <LineForm form, class Real>
Kernel<PieceLines> piece_kernel_of(const PieceLines& pass) {
  using List = typename stockham::KnownShapes<Real>::List;
  return stockham::with_shape(pass, List{}, [](auto shape) -> Kernel<PieceLines> {
    using Shape = decltype(shape);
    if constexpr (Shape::is_fixed) {
      return transform_known_pieces<form, Real, Shape>;
    } else {
      return transform_any_pieces<form, Real>;
    }
  });
}

template <class Real>
Kernel<PieceLines> piece_kernel_for(const PieceLines& pass) {
  if (pass.form == LineForm::from_packed) return piece_kernel_of<LineForm::from_packed, Real>(pass);
  if (pass.form == LineForm::to_packed) return piece_kernel_of<LineForm::to_packed, Real>(pass);
  return piece_kernel_of<LineForm::whole, Real>(pass);
}

}  // namespace

}  // namespace weft
