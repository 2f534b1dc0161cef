#pragma once

#include <bit>
#include <cmath>
#include <complex>

#include "weft/complex.hpp"
#include "weft/device_function.hpp"
#include "weft/pointwise.hpp"

namespace weft {

namespace detail {
/// How devices apply a function F of the library to arrays of T. The library has it for all F of
/// the namespace `functions` that are given to a LibraryFunction.
template <class T, class F>
const DeviceCalls* library_calls();
}  // namespace detail

/// A function of the library for the numbers of a plan: for on_input and on_output, or to be called
/// by functions of the caller's own. It is for plans on devices if it was made for one.
template <class F>
class LibraryFunction {
 public:
  using Function = F;  ///< what is applied
  /// The type of number that it is called with, for arrays of T.
  template <class T>
  using Number = typename detail::DeviceNumberOf<T>::type;

  /// Copies the function; `on_device`: what it points to is memory of a device.
  LibraryFunction(const F& function, bool on_device) : function_(function), on_device_(on_device) {}

  const F& function() const { return function_; }   ///< what is applied
  bool is_for_host() const { return !on_device_; }  ///< or for a device
  /// How devices apply it to arrays of T; null if it is for the host.
  template <class T>
  const detail::DeviceCalls* device_calls() const {
    return on_device_ ? detail::library_calls<T, F>() : nullptr;
  }

  /// Changes a number on the host, if it is for the host.
  template <class T>
  void operator()(T& value, const Point& point) const {
    auto number = std::bit_cast<Number<T>>(value);
    function_(number, point);
    value = std::bit_cast<T>(number);
  }

 private:
  F function_;
  bool on_device_;
};

namespace detail::functions {

/// Angular wavenumbers along each axis, see Wavenumbers.
struct WavenumberTables {
  const double* derivative_k[max_axes] = {};
  const double* k[max_axes] = {};
  int axes = 0;

  WEFT_HOST_DEVICE double k_squared(const Extents& index) const {
    double sum = 0;
    for (int axis = 0; axis < max_axes; ++axis) {
      if (axis < axes) sum += k[axis][index[axis]] * k[axis][index[axis]];
    }
    return sum;
  }
};

/// The index along an axis that is known at run time only. Kernels compare axes, so that the index
/// stays in registers.
WEFT_HOST_DEVICE inline Index along(const Extents& index, int axis) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  Index result = 0;
#pragma unroll
  for (int other = 0; other < max_axes; ++other) {
    if (other == axis) result = index[other];
  }
  return result;
#else
  return index[axis];
#endif
}

/// Multiplies a real or complex number with one of another precision.
template <class Number>
WEFT_HOST_DEVICE Number multiplied(const Number& value, double factor) {
  return value * static_cast<typename PartOfNumber<Number>::type>(factor);
}

/// d/dx along an axis
struct Derivative {
  const double* wavenumbers;
  int axis;

  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    value = of(value, point);
  }
  template <class Number>
  WEFT_HOST_DEVICE Number of(const Number& value, const Point& point) const {
    return multiplied(times_i(value), wavenumbers[along(point.index, axis)]);
  }
};

/// d/dx along an axis, added to terms of a divergence so far; null: there are none.
template <class Number>
struct DivergenceTerm {
  Derivative derivative;
  const Number* so_far;

  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    derivative(value, point);
    if (so_far != nullptr) value += so_far[point.offset];
  }
};

/// d/db of a component less d/dc of another one
template <class Number>
struct CurlComponent {
  Derivative b, c;
  const Number* other;

  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    value = b.of(value, point) - c.of(other[point.offset], point);
  }
};

struct Laplacian {
  WavenumberTables waves;

  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    value = multiplied(value, -waves.k_squared(point.index));
  }
};

struct InverseLaplacian {
  WavenumberTables waves;

  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    const double square = waves.k_squared(point.index);
    value = multiplied(value, square > 0 ? -1 / square : 0);
  }
};

/// Multiplies by a response to the length of the wave vector.
template <class Response>
struct Filter {
  WavenumberTables waves;
  Response response;

  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    scale_number(value, response(std::sqrt(waves.k_squared(point.index))));
  }
};

/// Product with the spectrum of the first array of a convolution; of a correlation with its
/// conjugate and, if it is linear, the roots that shift it.
template <class Number>
struct SpectrumProduct {
  const Number* first = nullptr;
  const Number* shift[max_axes] = {};
  bool correlate = false;

  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    Number other = first[point.offset];
    if (correlate) {
      other = conj(other);
      for (int axis = 0; axis < max_axes; ++axis) {
        if (shift[axis] != nullptr) other *= shift[axis][point.index[axis]];
      }
    }
    value *= other;
  }
};

/// Product with exp(2 pi i e / n), or its conjugate, for e the product of both indices.
struct Twiddle {
  const Complex<double>* coarse;
  const Complex<double>* fine;
  int fine_bits;
  bool conjugate;

  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    using Part = typename PartOfNumber<Number>::type;
    const Index e = point.index[0] * point.index[1];
    const Complex<double> root = coarse[e >> fine_bits] * fine[e & ((Index{1} << fine_bits) - 1)];
    value *= Number{static_cast<Part>(root.re), static_cast<Part>(conjugate ? -root.im : root.im)};
  }
};

}  // namespace detail::functions

}  // namespace weft
