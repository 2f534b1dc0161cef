#include "local/stockham_kernel.hpp"

namespace weft::stockham {

Kernels<float> avx512_kernels(float) {
  return kernels_of<float, 64>();
}

Kernels<double> avx512_kernels(double) {
  return kernels_of<double, 64>();
}

}  // namespace weft::stockham
