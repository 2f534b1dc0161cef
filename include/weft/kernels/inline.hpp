#pragma once

#include "weft/host_device.hpp"

// Kernels of devices call functions of the host's code too. Their compilers need options for that:
// what the host computes they must not fuse, and functions of the standard library that are
// constexpr they must take for their own.

#define WEFT_INLINE [[gnu::always_inline]] WEFT_HOST_DEVICE inline

/// Whether this is compiled for a GPU.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define WEFT_ON_DEVICE true
#else
#define WEFT_ON_DEVICE false
#endif

/// Whether this is compiled as CUDA; HIP may stand upon that.
#if defined(__CUDACC__) && !defined(__HIPCC__) && !defined(WEFT_HIP)
#define WEFT_IS_CUDA true
#else
#define WEFT_IS_CUDA false
#endif
