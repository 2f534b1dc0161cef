#pragma once

#include "weft/device_function.hpp"
#include "weft/kernels/fused_lines.hpp"

namespace weft {

namespace detail {

/// A DeviceFunction that kernels which transform complex lines apply themselves.
template <class F, class Given, bool seen_by_gpu>
class FusedFunction : public DeviceFunction<F, Given, seen_by_gpu> {
  using Base = DeviceFunction<F, Given, seen_by_gpu>;

 public:
  using Base::Base;

  /// How passes apply it to arrays of T; null unless these are complex.
  template <class T, bool on_input>
  const FusedCalls* fused_calls() const {
    using Number = typename Base::template Number<T>;
    if constexpr (sizeof(Number) == 2 * sizeof(typename PartOfNumber<Number>::type)) {
      return &FusedKernel<Number, F, on_input, seen_by_gpu>::calls;
    } else {
      return nullptr;
    }
  }
};

}  // namespace detail

/// A callback as of device_function, which takes no pass over memory of its own where a kernel of
/// weft loads or stores the complex numbers of the caller's array: the kernel is then compiled
/// together with the callback, here, for each side that it is used on. That takes the compiler
/// longer, half a minute for a callback; elsewhere it is a device_function. Arrays have less than
/// 2^31 numbers.
template <class Given = void, class F>
detail::FusedFunction<F, Given, detail::compiles_for_gpu> fused_function(const F& f) {
  return detail::FusedFunction<F, Given, detail::compiles_for_gpu>(f);
}

}  // namespace weft
