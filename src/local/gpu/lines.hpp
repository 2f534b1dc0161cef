#pragma once

#include "device/gpu/launch.hpp"
#include "local/side_pieces.hpp"
#include "weft/kernels/plane_pass.hpp"

namespace weft {

// The kernels for a pass, which is their argument.
Kernel<LinePass> line_kernel_f32(const LinePass& pass);
Kernel<LinePass> line_kernel_f64(const LinePass& pass);

// Those for passes over planes, or null.
Kernel<PlanePass<>> planes_kernel_f32(const PlanePass<>& pass);
Kernel<PlanePass<>> planes_kernel_f64(const PlanePass<>& pass);

// Those for passes whose sides are in pieces.
Kernel<PieceLines> piece_kernel_f32(const PieceLines& pass);
Kernel<PieceLines> piece_kernel_f64(const PieceLines& pass);

/// Of such a pass: sums of its warps, and encoding_sums to add them to.
struct WarpSums {
  const EncodingSums* warps;
  EncodingSums* sums;
  std::uint32_t count;
};
void load_warp_sums();
void launch_warp_sums(gpuStream_t stream, WarpSums all);

}  // namespace weft
