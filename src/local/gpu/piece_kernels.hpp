#pragma once

// Kernels for passes over lines in pieces, compiled for each precision on its own, as that takes
// long.
#include "local/gpu/lines.hpp"
#include "weft/kernels/line_teams.hpp"

namespace weft {

namespace {

/// Adds up what the threads of a block have found, in the same order every time.
__device__ inline void add_sums_of_threads(EncodingSums* threads, EncodingSums& block) {
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    if (threadIdx.x + half < count) {
      stockham::add(threads[threadIdx.x], threads[threadIdx.x + half]);
    }
    __syncthreads();
    count = half;
  }
  if (threadIdx.x == 0) block = threads[0];
}

template <LineForm form, class Real, class Shape>
__device__ void transform_piece_block(const PieceLines& pass, const BlockLines& lines) {
  using Forms = stockham::PieceForms<form, Real>;
  stockham::enter_places<Real>(pass, lines, threadIdx.x, blockDim.x);
  EncodingSums& mine = stockham::PieceMemory<Real>::sums(pass);
  const bool sums = pass.pieces.out.sums != nullptr;
  if (sums) mine = {};
  __syncthreads();
  stockham::transform_gpu_block<Real, typename Forms::Load, typename Forms::Store, Shape>(pass,
                                                                                          lines);
  if (sums) add_sums_of_threads(&mine - threadIdx.x, pass.pieces.out.block_sums[blockIdx.x]);
}

template <LineForm form, class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_threads, stockham::fused_blocks<Real, Shape>)
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
  using List = stockham::ShapesOf<Real, form>;
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
Kernel<PieceLines> piece_kernel_for(LineForm form, const PieceLines& pass) {
  if (form == LineForm::from_packed) return piece_kernel_of<LineForm::from_packed, Real>(pass);
  if (form == LineForm::to_packed) return piece_kernel_of<LineForm::to_packed, Real>(pass);
  return piece_kernel_of<LineForm::whole, Real>(pass);
}

}  // namespace

}  // namespace weft
