#pragma once

#include "weft/device_function.hpp"
#include "weft/kernels/fused_lines.hpp"

namespace weft {

namespace detail {

/// A DeviceFunction that kernels which transform lines apply themselves.
template <class F, class Given, bool seen_by_gpu>
class FusedFunction : public DeviceFunction<F, Given, seen_by_gpu> {
  using Base = DeviceFunction<F, Given, seen_by_gpu>;

 public:
  using Base::Base;

  /// How passes apply it to arrays of T.
  template <class T, bool on_input>
  const FusedCalls* fused_calls() const {
    return &FusedKernel<typename Base::template Number<T>, F, on_input, seen_by_gpu>::calls;
  }
};

}  // namespace detail

/// A callback as device_function makes it, but without a pass over memory of its own where a kernel
/// of weft loads or stores numbers of the caller's array: such kernels are compiled here, together
/// with the callback, for each side that it is used on, in about 20 seconds. There are kernels for
/// complex axes of 64, 128, 192, 256, 384, 512 and 1024 points and, on the real side of r2c, for
/// axes of twice as many, in arrays of less than 2^31 numbers. Elsewhere the callback is a
/// device_function.
template <class Given = void, class F>
detail::FusedFunction<F, Given, detail::compiles_for_gpu> fused_function(const F& f) {
  return detail::FusedFunction<F, Given, detail::compiles_for_gpu>(f);
}

}  // namespace weft
