#pragma once

#include <cstddef>

#include "weft/host_device.hpp"

// Kernels of devices call functions of the host's code too. Their compilers need options for that:
// what the host computes they must not fuse, and functions of the standard library that are
// constexpr they must take for their own.

// Compilers of CUDA at run time know no attribute for it.
#if defined(__CUDACC_RTC__)
#define WEFT_ALWAYS_INLINE __forceinline__
#else
#define WEFT_ALWAYS_INLINE [[gnu::always_inline]] inline
#endif
#define WEFT_INLINE WEFT_ALWAYS_INLINE WEFT_HOST_DEVICE

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

/// Arguments that kernels index stay where the launch put them; otherwise each thread makes a copy.
#if WEFT_IS_CUDA
#define WEFT_KERNEL_ARGUMENT const __grid_constant__
#else
#define WEFT_KERNEL_ARGUMENT const
#endif

namespace weft {

/// Arguments of a kernel may have this many bytes with all vendors and versions.
inline constexpr std::size_t most_argument_bytes = 4096;

}  // namespace weft
