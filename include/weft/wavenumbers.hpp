#pragma once

#include <memory>
#include <span>
#include <vector>

#include "weft/plan.hpp"
#include "weft/plan_array.hpp"
#include "weft/spectral_functions.hpp"

namespace weft {

/// Angular wavenumbers of the coefficients of a plan, for a box of given lengths, and the functions
/// that operators of calculus apply to these coefficients:
///
///     plan.backward(uh, ux, weft::on_input(waves.derivative(0)));
class Wavenumbers {
 public:
  /// `lengths` are those of the box, one for each axis. The plan may be destroyed afterwards.
  Wavenumbers(const Plan& plan, std::span<const double> lengths);

  /// Number of axes.
  int axes() const { return static_cast<int>(derivative_k_.size()); }
  /// The factor of a first derivative for coefficient i along an axis: derivative_wavenumber, which
  /// is zero for the Nyquist mode.
  double derivative_k(int axis, Index i) const { return derivative_k(axis)[as_size(i)]; }
  /// angular_wavenumber, without that exception, for second derivatives.
  double k(int axis, Index i) const { return k(axis)[as_size(i)]; }
  /// The values for all coefficients of the global array along an axis, which must exist.
  std::span<const double> derivative_k(int axis) const { return derivative_k_[as_size(axis)]; }
  /// The values for all coefficients of the global array along an axis, which must exist.
  std::span<const double> k(int axis) const { return k_[as_size(axis)]; }
  /// The values for this rank's coefficients along an axis: the first one belongs to coefficient
  /// Plan::output().box.lower[axis]. Throws Error if there is no such axis.
  std::span<const double> local_derivative_k(int axis) const { return local(axis, derivative_k_); }
  /// The values for this rank's coefficients along an axis, as above.
  std::span<const double> local_k(int axis) const { return local(axis, k_); }
  /// Square of the length of the wave vector.
  double k_squared(const Extents& index) const {
    double sum = 0;
    for (int axis = 0; axis < axes(); ++axis) sum += k(axis, index[axis]) * k(axis, index[axis]);
    return sum;
  }

  /// A callback for d/dx along an axis, which must have a Fourier transform: throws Error
  /// otherwise. This one and the following ones refer to this object, which must outlive them, and
  /// are for plans on the same device.
  LibraryFunction<detail::functions::Derivative> derivative(int axis) const {
    check_derivative(axis);
    return of(detail::functions::Derivative{numbers_.derivative_k[axis], axis});
  }
  /// Sum of the second derivatives.
  LibraryFunction<detail::functions::Laplacian> laplacian() const {
    return of(detail::functions::Laplacian{numbers_});
  }
  /// A callback that solves the Poisson equation laplacian u = f. The constant part of f must be
  /// zero; that of u is zero.
  LibraryFunction<detail::functions::InverseLaplacian> inverse_laplacian() const {
    return of(detail::functions::InverseLaplacian{numbers_});
  }
  /// A callback that multiplies by response(k), where k is the length of the wave vector. For plans
  /// on devices the response must be a device_function, which is called with k alone.
  template <class Response>
  auto filter(const Response& response) const {
    if constexpr (detail::HasDeviceCalls<Response>) {
      return device_function(
          detail::functions::Filter<typename Response::Function>{numbers_, response.function()});
    } else {
      return detail::functions::Filter<Response>{numbers_, response};
    }
  }

  /// Whether the functions are for a plan on a device.
  bool on_device() const { return on_device_; }

 private:
  template <class F>
  LibraryFunction<F> of(const F& function) const {
    return {function, on_device_};
  }
  using Lists = std::vector<std::vector<double>>;  // by axis and coefficient

  static std::size_t as_size(Index i) { return static_cast<std::size_t>(i); }
  std::span<const double> local(int axis, const Lists& lists) const;
  void check_derivative(int axis) const;
  void make_tables(const Plan& plan);

  Axes<Kind> kinds_;
  Box box_;  // of the coefficients of this rank
  Lists derivative_k_;
  Lists k_;
  bool on_device_;
  std::shared_ptr<const PlanArray<double>> tables_;  // both, where the plan is
  detail::functions::WavenumberTables numbers_;      // in the tables
};

}  // namespace weft
