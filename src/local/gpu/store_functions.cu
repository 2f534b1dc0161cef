// How cuFFT stores results that are scaled. The library links these functions into its kernels at
// run time; it finds them by their names, which must be neither in a namespace nor those of C. In
// the place of a pointer `factor` holds the bits of the number itself.

namespace {

__device__ float factor_f32(void* factor) {
  return __int_as_float(static_cast<int>(reinterpret_cast<long long>(factor)));
}

__device__ double factor_f64(void* factor) {
  return __longlong_as_double(reinterpret_cast<long long>(factor));
}

}  // namespace

__device__ void weft_store_real_f32(void* out, unsigned long long position, float value,
                                    void* factor, void*) {
  static_cast<float*>(out)[position] = value * factor_f32(factor);
}

__device__ void weft_store_real_f64(void* out, unsigned long long position, double value,
                                    void* factor, void*) {
  static_cast<double*>(out)[position] = value * factor_f64(factor);
}

__device__ void weft_store_complex_f32(void* out, unsigned long long position, float2 value,
                                       void* factor, void*) {
  const float scale = factor_f32(factor);
  static_cast<float2*>(out)[position] = make_float2(value.x * scale, value.y * scale);
}

__device__ void weft_store_complex_f64(void* out, unsigned long long position, double2 value,
                                       void* factor, void*) {
  const double scale = factor_f64(factor);
  static_cast<double2*>(out)[position] = make_double2(value.x * scale, value.y * scale);
}
