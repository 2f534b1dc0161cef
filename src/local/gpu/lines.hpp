#pragma once

#include "device/gpu/launch.hpp"
#include "local/line_pass.hpp"

namespace weft {

// The kernels for a pass, which is their argument.
Kernel<LinePass> line_kernel_f32(LineForm form, const LinePass& pass);
Kernel<LinePass> line_kernel_f64(LineForm form, const LinePass& pass);

}  // namespace weft
