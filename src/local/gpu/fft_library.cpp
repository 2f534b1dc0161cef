#include "local/gpu/fft_api.hpp"

#ifndef WEFT_HIP
#include <string>

#include "device/gpu/shared_library.hpp"
#endif

namespace weft::gpu_fft {

#ifdef WEFT_HIP

bool is_there() {
  return true;
}

const Functions& functions() {
  static constexpr Functions all{hipfftCreate,         hipfftDestroy,   hipfftSetAutoAllocation,
                                 hipfftXtMakePlanMany, hipfftSetStream, hipfftSetWorkArea,
                                 hipfftXtExec};
  return all;
}

#else

namespace {

/// cuFFT, loaded when a GPU is first to transform. It keeps a quarter of a GiB of kernels in memory
/// that can be written. Garbage collectors, as that of Guile in MPB, search all such memory of a
/// process for pointers, over and over, also where there is no GPU.
const SharedLibrary& library() {
  static const SharedLibrary found("libcufft.so." + std::to_string(CUFFT_VER_MAJOR),
                                   WEFT_CUFFT_FILE);
  return found;
}

Functions find_functions() {
  Functions all{};
  library().find("cufftCreate", all.create);
  library().find("cufftDestroy", all.destroy);
  library().find("cufftSetAutoAllocation", all.set_auto_allocation);
  library().find("cufftXtMakePlanMany", all.make_plan_many);
  library().find("cufftSetStream", all.set_stream);
  library().find("cufftSetWorkArea", all.set_work_area);
  library().find("cufftXtExec", all.execute);
#ifdef WEFT_STORE_CALLBACKS
  library().find("cufftXtSetJITCallback", all.set_store_function);
#endif
  return all;
}

}  // namespace

bool is_there() {
  return library().is_there();
}

const Functions& functions() {
  static const Functions all = find_functions();
  return all;
}

#endif

}  // namespace weft::gpu_fft
