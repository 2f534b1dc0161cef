#include "local/stockham_kernel.hpp"

namespace weft::stockham {

Kernels<float> portable_kernels(float) {
  return kernels_of<float, 16>();
}

Kernels<double> portable_kernels(double) {
  return kernels_of<double, 16>();
}

}  // namespace weft::stockham
