#pragma once

// Calls of the runtime libraries of GPUs, for headers that programs compile. They return the
// vendor's text where something fails, otherwise null.

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

#include <cstddef>

#if defined(__CUDACC__) || defined(__HIPCC__)

// Arguments that functions index stay where the launch put them; otherwise each thread makes a
// copy.
#if defined(__HIPCC__)
#define WEFT_KERNEL_CONSTANT const
#else
#define WEFT_KERNEL_CONSTANT const __grid_constant__
#endif

namespace weft::detail {

namespace {

#if defined(__HIPCC__)
using GpuStatus = hipError_t;
inline const char* text_of(GpuStatus status) {
  return status == hipSuccess ? nullptr : hipGetErrorString(status);
}
#else
using GpuStatus = cudaError_t;
inline const char* text_of(GpuStatus status) {
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}
#endif

/// Loads a kernel into the current GPU, with leave to share as much as there is.
inline const char* load_kernel(const void* kernel) {
  int device = 0, most = 0;
#if defined(__HIPCC__)
  hipFuncAttributes attributes;
  if (const char* text = text_of(hipFuncGetAttributes(&attributes, kernel))) return text;
  if (const char* text = text_of(hipGetDevice(&device))) return text;
  if (const char* text = text_of(
          hipDeviceGetAttribute(&most, hipDeviceAttributeMaxSharedMemoryPerBlock, device))) {
    return text;
  }
  return text_of(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, most));
#else
  cudaFuncAttributes attributes;
  if (const char* text = text_of(cudaFuncGetAttributes(&attributes, kernel))) return text;
  if (const char* text = text_of(cudaGetDevice(&device))) return text;
  if (const char* text =
          text_of(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))) {
    return text;
  }
  return text_of(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      most - static_cast<int>(attributes.sharedSizeBytes)));
#endif
}

inline const char* launch_kernel(const void* kernel, dim3 grid, dim3 threads, void** arguments,
                                 std::size_t shared_bytes, void* stream) {
#if defined(__HIPCC__)
  return text_of(hipLaunchKernel(kernel, grid, threads, arguments, shared_bytes,
                                 static_cast<hipStream_t>(stream)));
#else
  return text_of(cudaLaunchKernel(kernel, grid, threads, arguments, shared_bytes,
                                  static_cast<cudaStream_t>(stream)));
#endif
}

}  // namespace

}  // namespace weft::detail

#endif
