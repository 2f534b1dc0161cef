#include "local/stockham_kernel.hpp"

namespace weft::stockham {

namespace {

/// Few lines and short contiguous ones go through the kernels of AVX2, which give the same bits:
/// their own would take 40 s to compile.
template <class Real>
Kernels<Real> with_wide_kernel(Kernels<Real> kernels) {
  return {kernel_of<Real, 64>(), kernels.wide, kernels.narrow};
}

}  // namespace

Kernels<float> avx512_kernels(float) {
  return with_wide_kernel(avx2_kernels(float{}));
}

Kernels<double> avx512_kernels(double) {
  return with_wide_kernel(avx2_kernels(double{}));
}

}  // namespace weft::stockham
