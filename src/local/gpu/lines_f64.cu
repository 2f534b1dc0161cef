#include "local/gpu/line_kernels.hpp"

namespace weft {

const void* line_kernel_f64(LineForm form) {
  return reinterpret_cast<const void*>(kernel_of<double>(form));
}

}  // namespace weft
