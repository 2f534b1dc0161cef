#pragma once

// One vendor's names for the FFT libraries of both: hipFFT has all that is used here of cuFFT.

#ifdef WEFT_HIP

#include <hip/hip_runtime_api.h>
#include <hipfft/hipfft.h>
#include <hipfft/hipfftXt.h>

namespace weft::gpu_fft {

inline constexpr const char* name = "hipfft";
inline constexpr const char* description = "hipFFT";

using Result = hipfftResult;
using Handle = hipfftHandle;
using Stream = hipStream_t;
using Type = hipDataType;

inline constexpr Result success = HIPFFT_SUCCESS;
inline constexpr int forward = HIPFFT_FORWARD;
inline constexpr int backward = HIPFFT_BACKWARD;
inline constexpr Type real_f32 = HIP_R_32F, complex_f32 = HIP_C_32F;
inline constexpr Type real_f64 = HIP_R_64F, complex_f64 = HIP_C_64F;

struct Functions {
  decltype(hipfftCreate)* create;
  decltype(hipfftDestroy)* destroy;
  decltype(hipfftSetAutoAllocation)* set_auto_allocation;
  decltype(hipfftXtMakePlanMany)* make_plan_many;
  decltype(hipfftSetStream)* set_stream;
  decltype(hipfftSetWorkArea)* set_work_area;
  decltype(hipfftXtExec)* execute;
};

inline const char* result_name(Result result) {
  switch (result) {
    case HIPFFT_INVALID_PLAN:
      return "HIPFFT_INVALID_PLAN";
    case HIPFFT_ALLOC_FAILED:
      return "HIPFFT_ALLOC_FAILED";
    case HIPFFT_INVALID_TYPE:
      return "HIPFFT_INVALID_TYPE";
    case HIPFFT_INVALID_VALUE:
      return "HIPFFT_INVALID_VALUE";
    case HIPFFT_INTERNAL_ERROR:
      return "HIPFFT_INTERNAL_ERROR";
    case HIPFFT_EXEC_FAILED:
      return "HIPFFT_EXEC_FAILED";
    case HIPFFT_SETUP_FAILED:
      return "HIPFFT_SETUP_FAILED";
    case HIPFFT_INVALID_SIZE:
      return "HIPFFT_INVALID_SIZE";
    case HIPFFT_UNALIGNED_DATA:
      return "HIPFFT_UNALIGNED_DATA";
    case HIPFFT_INVALID_DEVICE:
      return "HIPFFT_INVALID_DEVICE";
    case HIPFFT_NO_WORKSPACE:
      return "HIPFFT_NO_WORKSPACE";
    case HIPFFT_NOT_IMPLEMENTED:
      return "HIPFFT_NOT_IMPLEMENTED";
    case HIPFFT_NOT_SUPPORTED:
      return "HIPFFT_NOT_SUPPORTED";
    default:
      return "an unknown error";
  }
}

}  // namespace weft::gpu_fft

#else

#include <cuda_runtime_api.h>
#include <cufft.h>
#include <cufftXt.h>

namespace weft::gpu_fft {

inline constexpr const char* name = "cufft";
inline constexpr const char* description = "cuFFT";

using Result = cufftResult;
using Handle = cufftHandle;
using Stream = cudaStream_t;
using Type = cudaDataType;

inline constexpr Result success = CUFFT_SUCCESS;
inline constexpr int forward = CUFFT_FORWARD;
inline constexpr int backward = CUFFT_INVERSE;
inline constexpr Type real_f32 = CUDA_R_32F, complex_f32 = CUDA_C_32F;
inline constexpr Type real_f64 = CUDA_R_64F, complex_f64 = CUDA_C_64F;

struct Functions {
  decltype(cufftCreate)* create;
  decltype(cufftDestroy)* destroy;
  decltype(cufftSetAutoAllocation)* set_auto_allocation;
  decltype(cufftXtMakePlanMany)* make_plan_many;
  decltype(cufftSetStream)* set_stream;
  decltype(cufftSetWorkArea)* set_work_area;
  decltype(cufftXtExec)* execute;
#ifdef WEFT_STORE_CALLBACKS
  decltype(cufftXtSetJITCallback)* set_store_function;
#endif
};

inline const char* result_name(Result result) {
  switch (result) {
    case CUFFT_INVALID_PLAN:
      return "CUFFT_INVALID_PLAN";
    case CUFFT_ALLOC_FAILED:
      return "CUFFT_ALLOC_FAILED";
    case CUFFT_INVALID_TYPE:
      return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE:
      return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR:
      return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED:
      return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED:
      return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE:
      return "CUFFT_INVALID_SIZE";
    case CUFFT_UNALIGNED_DATA:
      return "CUFFT_UNALIGNED_DATA";
    case CUFFT_INVALID_DEVICE:
      return "CUFFT_INVALID_DEVICE";
    case CUFFT_NO_WORKSPACE:
      return "CUFFT_NO_WORKSPACE";
    case CUFFT_NOT_IMPLEMENTED:
      return "CUFFT_NOT_IMPLEMENTED";
    case CUFFT_NOT_SUPPORTED:
      return "CUFFT_NOT_SUPPORTED";
    default:
      return "an unknown error";
  }
}

}  // namespace weft::gpu_fft

#endif

namespace weft::gpu_fft {

/// Whether the library can be loaded.
bool is_there();
/// Its functions. Only where it is there.
const Functions& functions();

}  // namespace weft::gpu_fft
