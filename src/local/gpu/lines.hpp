#pragma once

#include "local/line_pass.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// The kernel whose argument is a pass of this form.
const void* line_kernel(LineForm form, Precision precision);

}  // namespace weft
