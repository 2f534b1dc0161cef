#pragma once

#include "device/gpu/launch.hpp"
#include "weft/kernels/plane_pass.hpp"

namespace weft {

// The kernels for a pass, which is their argument.
Kernel<LinePass> line_kernel_f32(LineForm form, const LinePass& pass);
Kernel<LinePass> line_kernel_f64(LineForm form, const LinePass& pass);

// Those for passes over planes, or null.
Kernel<PlanePass<>> planes_kernel_f32(const PlanePass<>& pass);
Kernel<PlanePass<>> planes_kernel_f64(const PlanePass<>& pass);

}  // namespace weft
