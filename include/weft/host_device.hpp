#pragma once

/// Marks functions that kernels of GPUs call too. Compilers that know no GPUs see nothing.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define WEFT_HOST_DEVICE __host__ __device__
#else
#define WEFT_HOST_DEVICE
#endif
