#pragma once

#include "device/gpu/api.hpp"
#include "weft/kernels/inline.hpp"

namespace weft {

template <class Argument>
using Kernel = void (*)(Argument);

template <class Argument>
void launch(Kernel<Argument> kernel, unsigned ctas, unsigned threads, gpuStream_t stream,
            Argument& argument) {
  static_assert(sizeof(Argument) <= most_argument_bytes);
  void* arguments[] = {&argument};
  check_gpu(gpuLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(ctas), dim3(threads),
                            arguments, 0, stream),
            "launch of a kernel");
}

template <class Argument>
void load(Kernel<Argument> kernel) {
  gpuFuncAttributes attributes;
  check_gpu(gpuFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)),
            "loading a kernel");
}

}  // namespace weft
