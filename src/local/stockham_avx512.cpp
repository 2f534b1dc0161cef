#include "local/stockham_kernel.hpp"

namespace weft::stockham {

namespace {

/// Few lines side by side go through the kernels of AVX2, which give the same bits: their own would
/// take half a minute to compile. A contiguous line that does not fill vectors of AVX-512 is no
/// such rarity: it has a kernel of its own, with 32 registers.
template <class Real>
Kernels<Real> with_own(const Kernels<Real>& avx2) {
  constexpr int half_lanes = 32 / static_cast<int>(sizeof(Real));
  return {kernel_of<Real, 64>(),
          {half_lanes, avx2.wide.run, run_inside<Real, half_lanes>},
          avx2.narrow};
}

}  // namespace

Kernels<float> avx512_kernels(float) {
  return with_own(avx2_kernels(float{}));
}

Kernels<double> avx512_kernels(double) {
  return with_own(avx2_kernels(double{}));
}

}  // namespace weft::stockham
