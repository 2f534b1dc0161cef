#pragma once

// Marks of functions that kernels of devices call too. Their compilers need options for that: what
// the host computes they must not fuse, and functions of the standard library that are constexpr
// they must take for their own.

#if defined(__CUDACC__) || defined(__HIPCC__)
#define WEFT_HOST_DEVICE __host__ __device__
#else
#define WEFT_HOST_DEVICE
#endif

#define WEFT_INLINE [[gnu::always_inline]] WEFT_HOST_DEVICE inline
