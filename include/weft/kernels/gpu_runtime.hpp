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

/// The number of the current GPU.
inline const char* current_gpu(int& number) {
#if defined(__HIPCC__)
  return text_of(hipGetDevice(&number));
#else
  return text_of(cudaGetDevice(&number));
#endif
}

inline const char* load_kernel(const void* kernel) {
#if defined(__HIPCC__)
  hipFuncAttributes attributes;
  return text_of(hipFuncGetAttributes(&attributes, kernel));
#else
  cudaFuncAttributes attributes;
  return text_of(cudaFuncGetAttributes(&attributes, kernel));
#endif
}

/// Lets the blocks of a kernel, which declares no shared memory, share as much as there is.
inline const char* allow_most_shared_bytes(const void* kernel) {
  int number = 0, most = 0;
  if (const char* text = current_gpu(number)) return text;
#if defined(__HIPCC__)
  const auto which = hipDeviceAttributeMaxSharedMemoryPerBlock;
  if (const char* text = text_of(hipDeviceGetAttribute(&most, which, number))) return text;
  return text_of(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, most));
#else
  const auto which = cudaDevAttrMaxSharedMemoryPerBlockOptin;
  if (const char* text = text_of(cudaDeviceGetAttribute(&most, which, number))) return text;
  return text_of(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
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
