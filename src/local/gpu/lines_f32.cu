#include "local/gpu/line_kernels.hpp"

namespace weft {

const void* line_kernel_f32(LineForm form) {
  return reinterpret_cast<const void*>(kernel_of<float>(form));
}

}  // namespace weft
