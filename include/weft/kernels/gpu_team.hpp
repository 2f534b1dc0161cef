#pragma once

// Threads of a GPU that transform the lines of a block together.
#include "weft/kernels/line_block.hpp"

namespace weft::stockham {

namespace {

#if defined(__CUDACC__) || defined(__HIPCC__)

struct GpuTeam {
  BlockLines lines;
  std::uint32_t threads;

  template <class Work>
  WEFT_ALWAYS_INLINE __device__ void phase(const Work& work) const {
    if (threadIdx.x < threads) work(LineThread{lines, threadIdx.x});
    __syncthreads();
  }
};

template <class Real, class Load, class Store, class Shape>
WEFT_ALWAYS_INLINE __device__ void transform_gpu_block(const LinePass& pass,
                                                       const BlockLines& lines) {
  extern __shared__ double2 memory[];
  transform_block<Shape, Real, Load, Store>(
      pass, GpuTeam{lines, Shape::lanes(pass) * Shape::threads(pass)},
      reinterpret_cast<Complex<Real>*>(memory));
}

#endif

}  // namespace

}  // namespace weft::stockham
