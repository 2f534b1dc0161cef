#pragma once

#include "device/line_step.hpp"

namespace weft {

/// What kernels do, thread by thread on the host.
void run_lines(const LineStep& step);

}  // namespace weft
