#include "local/gpu/line_kernels.hpp"

namespace weft {

Kernel<LinePass> line_kernel_f64(LineForm form, const LinePass& pass) {
  return kernel_for<double>(form, pass);
}

}  // namespace weft
