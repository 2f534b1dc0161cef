// Kernels for the steps around Fourier transforms that make cosine and sine transforms of them.
#include <cstdint>

#include "device/gpu/kernels.hpp"
#include "device/gpu/launch.hpp"
#include "device/line_work.hpp"

namespace weft {

namespace {

constexpr unsigned threads_of_cta = 256;
constexpr unsigned least_ctas = 4;  ///< at a time on a processor, which bounds registers

template <class Operation>
__global__ void __launch_bounds__(threads_of_cta, least_ctas)
    run_lines(WEFT_KERNEL_ARGUMENT LineWork work) {
  const std::uint32_t thread = blockIdx.x * threads_of_cta + threadIdx.x;
  if (thread < work.threads) Operation::run(work, locate(work, thread));
}

template <class Real>
Kernel<LineWork> kernel_of(LineOperation operation) {
  switch (operation) {
    case LineOperation::prepare_plain:
      return run_lines<PreparePlain<Real>>;
    case LineOperation::prepare_pairs:
      return run_lines<PreparePairs<Real>>;
    case LineOperation::finish_plain:
      return run_lines<FinishPlain<Real>>;
    default:
      return run_lines<FinishParts<Real>>;
  }
}

Kernel<LineWork> kernel_for(LineOperation operation, Precision precision) {
  return precision == Precision::f32 ? kernel_of<float>(operation) : kernel_of<double>(operation);
}

}  // namespace

void load_line_kernels() {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const LineOperation operation :
         {LineOperation::prepare_plain, LineOperation::prepare_pairs, LineOperation::finish_plain,
          LineOperation::finish_parts}) {
      load(kernel_for(operation, precision));
    }
  }
}

void launch_lines(gpuStream_t stream, const LineStep& step) {
  LineWork work = make_line_work(step);
  if (work.threads == 0) return;
  launch(kernel_for(step.operation, step.precision), (work.threads - 1) / threads_of_cta + 1,
         threads_of_cta, stream, work);
}

}  // namespace weft
