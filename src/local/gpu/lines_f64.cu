#include "local/gpu/line_kernels.hpp"

namespace weft {

Kernel<LinePass> line_kernel_f64(const LinePass& pass) {
  return kernel_for<double>(pass);
}

Kernel<PlanePass<>> planes_kernel_f64(const PlanePass<>& pass) {
  return planes_kernel_for<double>(pass);
}

}  // namespace weft
