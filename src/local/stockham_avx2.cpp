#include "local/stockham_kernel.hpp"

namespace weft::stockham {

Kernels<float> avx2_kernels(float) {
  return kernels_of<float, 32>();
}

Kernels<double> avx2_kernels(double) {
  return kernels_of<double, 32>();
}

}  // namespace weft::stockham
