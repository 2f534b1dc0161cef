#include "local/gpu/store_callback.hpp"

#ifdef WEFT_STORE_CALLBACKS
#include <bit>
#include <cstdint>

#include "store_functions.h"  // made by CMake
#endif

namespace weft {

#ifdef WEFT_STORE_CALLBACKS

bool set_scaled_store(gpu_fft::Handle plan, const LocalProblem& problem) {
  const auto set_store_function = gpu_fft::functions().set_store_function;
  if (set_store_function == nullptr) return false;  // of an older library than weft was built with
  const bool single = problem.precision == Precision::f32;
  const bool real = problem.real_output();
  const char* name = nullptr;
  cufftXtCallbackType type = CUFFT_CB_UNDEFINED;
  if (single) {
    name = real ? "weft_store_real_f32" : "weft_store_complex_f32";
    type = real ? CUFFT_CB_ST_REAL : CUFFT_CB_ST_COMPLEX;
  } else {
    name = real ? "weft_store_real_f64" : "weft_store_complex_f64";
    type = real ? CUFFT_CB_ST_REAL_DOUBLE : CUFFT_CB_ST_COMPLEX_DOUBLE;
  }
  // The library hands the pointer on as it is. With the factor in its place none is read from
  // memory for each element.
  const std::uint64_t bits = single
                                 ? std::bit_cast<std::uint32_t>(static_cast<float>(problem.scale))
                                 : std::bit_cast<std::uint64_t>(problem.scale);
  void* factor = reinterpret_cast<void*>(bits);
  return set_store_function(plan, name, weft_store_functions, sizeof(weft_store_functions), type,
                            &factor) == CUFFT_SUCCESS;
}

#else

bool set_scaled_store(gpu_fft::Handle, const LocalProblem&) {
  return false;
}

#endif

}  // namespace weft
