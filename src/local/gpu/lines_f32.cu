#include "local/gpu/line_kernels.hpp"

namespace weft {

Kernel<LinePass> line_kernel_f32(const LinePass& pass) {
  return kernel_for<float>(pass);
}

Kernel<PlanePass<>> planes_kernel_f32(const PlanePass<>& pass) {
  return planes_kernel_for<float>(pass);
}

}  // namespace weft
