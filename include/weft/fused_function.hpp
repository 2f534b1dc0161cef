#pragma once

#include "weft/device_function.hpp"
#include "weft/kernels/fused_lines.hpp"

namespace weft {

namespace detail {

/// A DeviceFunction that kernels which transform lines apply themselves, of axes of these lengths,
/// or of the usual ones.
template <class F, class Given, bool seen_by_gpu, int... lengths>
class FusedFunction : public DeviceFunction<F, Given, seen_by_gpu> {
  using Base = DeviceFunction<F, Given, seen_by_gpu>;

 public:
  using Base::Base;

  /// How passes apply it to arrays of T.
  template <class T, bool on_input>
  const FusedCalls* fused_calls() const {
    using Number = typename Base::template Number<T>;
    return &FusedKernel<Number, F, on_input, seen_by_gpu, lengths...>::calls;
  }
};

}  // namespace detail

/// A callback as device_function makes it, but without a pass over memory of its own where a kernel
/// of weft loads or stores numbers of the caller's array. Such kernels are compiled here, together
/// with the callback, for each side that it is used on:
///
///     plan.forward(in, out, weft::on_output(weft::fused_function<600, 720>(f)));
///
/// has kernels for axes of 600 and 720 points. Lengths have no prime factor above 13. Their order
/// does not matter; a type of complex number, as that of device_function, comes before them.
/// Without lengths, kernels are for complex axes of 64, 128, 192, 256, 384, 512 and 1024 points,
/// and on the real side of r2c for axes of twice as many; of two axes that one kernel transforms,
/// both must have the same length. These take about 20 seconds to compile.
///
/// They serve arrays of less than 2^31 numbers on GPUs of NVIDIA whose blocks of threads have 227
/// KiB of shared memory, and on those of AMD. Elsewhere the callback is a device_function.
template <class Given = void, int... lengths, class F>
detail::FusedFunction<F, Given, detail::compiles_for_gpu, lengths...> fused_function(const F& f) {
  return detail::FusedFunction<F, Given, detail::compiles_for_gpu, lengths...>(f);
}

/// \cond
template <int length, int... lengths, class F>
auto fused_function(const F& f) {
  return fused_function<void, length, lengths...>(f);
}
/// \endcond

}  // namespace weft
