#pragma once

#include "local/line_pass.hpp"

namespace weft {

// The kernels whose argument is a pass of this form.
const void* line_kernel_f32(LineForm form);
const void* line_kernel_f64(LineForm form);

}  // namespace weft
