#pragma once

#include <type_traits>

#include "weft/complex.hpp"
#include "weft/device_kernel.hpp"
#include "weft/pointwise.hpp"

namespace weft {

namespace detail {

/// How functions on devices see the numbers of arrays of T.
template <class T>
struct DeviceNumberOf {
  /// That type.
  using type = T;
};
/// Complex numbers, likewise.
template <class Real>
struct DeviceNumberOf<std::complex<Real>> {
  /// That type.
  using type = Complex<Real>;
};

/// A callback that plans on devices, and those on the host, apply to numbers; made by
/// device_function. `seen_by_gpu`: a compiler for GPUs has seen it.
template <class F, class Given, bool seen_by_gpu>
class DeviceFunction {
 public:
  using Function = F;  ///< what is copied to the device
  /// The type of number that F is called with, for arrays of T.
  template <class T>
  using Number = std::conditional_t<std::is_void_v<Given>, typename DeviceNumberOf<T>::type, Given>;

  explicit DeviceFunction(const F& function) : function_(function) {}  ///< copies it

  const F& function() const { return function_; }  ///< as given
  bool is_for_host() const { return true; }        ///< also
  /// How devices apply it to arrays of T.
  template <class T>
  const DeviceCalls* device_calls() const {
    static_assert(sizeof(Number<T>) == sizeof(T),
                  "numbers of the function and of the array differ");
    return &PointKernel<Number<T>, F, seen_by_gpu>::calls;
  }

 private:
  static_assert(std::is_trivially_copyable_v<F>, "what is copied to devices must be plain data");
  static_assert(sizeof(F) <= 3072, "arguments of kernels have no room for this function");

  F function_;
};

}  // namespace detail

/// A callback for plans on devices, f(value, point), marked WEFT_HOST_DEVICE: `value` is a float&,
/// a double&, or a Complex<float>& or Complex<double>&. With another type of complex number as the
/// first argument of the template, such as cuda::std::complex<double> or double2, it is that. `f`
/// is copied; it can be called by several thousand threads at a time, and what its pointers point
/// to must be memory of the device. For GPUs its type needs a name, and this call must be compiled
/// by nvcc or hipcc:
///
///     struct Damp {
///       const double* rates;
///       WEFT_HOST_DEVICE void operator()(weft::Complex<double>& value,
///                                        const weft::Point& point) const {
///         value *= rates[point.index[0]];
///       }
///     };
///     plan.forward(u, uh, weft::on_output(weft::device_function(Damp{rates})));
template <class Given = void, class F>
detail::DeviceFunction<F, Given, detail::compiles_for_gpu> device_function(const F& f) {
  return detail::DeviceFunction<F, Given, detail::compiles_for_gpu>(f);
}

}  // namespace weft
