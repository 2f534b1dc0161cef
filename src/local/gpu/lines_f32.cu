#include "local/gpu/line_kernels.hpp"

namespace weft {

Kernel<LinePass> line_kernel_f32(LineForm form, const LinePass& pass) {
  return kernel_for<float>(form, pass);
}

}  // namespace weft
