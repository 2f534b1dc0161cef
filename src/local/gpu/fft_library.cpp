#include "local/gpu/fft_api.hpp"

#ifndef WEFT_HIP
#include <dlfcn.h>

#include <string>
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
void* library() {
  static void* const found = [] {
    const std::string name = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);
    void* const opened = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
    return opened != nullptr ? opened : dlopen(WEFT_CUFFT_FILE, RTLD_LAZY | RTLD_LOCAL);
  }();
  return found;
}

template <class Function>
void find(const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library(), name));
}

Functions find_functions() {
  Functions all{};
  find("cufftCreate", all.create);
  find("cufftDestroy", all.destroy);
  find("cufftSetAutoAllocation", all.set_auto_allocation);
  find("cufftXtMakePlanMany", all.make_plan_many);
  find("cufftSetStream", all.set_stream);
  find("cufftSetWorkArea", all.set_work_area);
  find("cufftXtExec", all.execute);
#ifdef WEFT_STORE_CALLBACKS
  find("cufftXtSetJITCallback", all.set_store_function);
#endif
  return all;
}

}  // namespace

bool is_there() {
  return library() != nullptr;
}

const Functions& functions() {
  static const Functions all = find_functions();
  return all;
}

#endif

}  // namespace weft::gpu_fft
