// Kernels for passes over lines. Products and sums are fused where the source says so.
#include "device/gpu/launch.hpp"
#include "local/gpu/lines.hpp"
#include "local/line_block.hpp"

namespace weft {

namespace {

struct GpuTeam {
  const LinePass& pass;

  template <class Work>
  __device__ void phase(const Work& work) const {
    if (threadIdx.x < pass.lanes.count * pass.threads.count) {
      work(stockham::LineThread{blockIdx.x, threadIdx.x});
    }
    __syncthreads();
  }
};

/// Registers of double precision are twice as large.
template <class Real>
constexpr unsigned most_threads = sizeof(Real) == 8 ? 512 : 1024;

template <LineForm form, class Real>
__global__ void __launch_bounds__(most_threads<Real>)
    transform_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  extern __shared__ double2 memory[];
  using Forms = stockham::Forms<form, Real>;
  stockham::transform_block<stockham::LineRadices, Real, typename Forms::Load,
                            typename Forms::Store>(
      pass, GpuTeam{pass}, reinterpret_cast<stockham::Complex<Real>*>(memory));
}

template <class Real>
Kernel<LinePass> kernel_of(LineForm form) {
  switch (form) {
    case LineForm::whole:
      return transform_lines<LineForm::whole, Real>;
    case LineForm::complex:
      return transform_lines<LineForm::complex, Real>;
    case LineForm::from_reals:
      return transform_lines<LineForm::from_reals, Real>;
    case LineForm::to_reals:
      return transform_lines<LineForm::to_reals, Real>;
    default:
      return transform_lines<LineForm::real_pairs, Real>;
  }
}

}  // namespace

const void* line_kernel(LineForm form, Precision precision) {
  return reinterpret_cast<const void*>(precision == Precision::f32 ? kernel_of<float>(form)
                                                                   : kernel_of<double>(form));
}

}  // namespace weft
