#pragma once

#include "local/line_pass.hpp"

namespace weft {

// The kernels for a pass, which is their argument.
const void* line_kernel_f32(LineForm form, const LinePass& pass);
const void* line_kernel_f64(LineForm form, const LinePass& pass);

}  // namespace weft
