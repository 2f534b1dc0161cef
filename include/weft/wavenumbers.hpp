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
  /// `lengths` of the box, one for each axis. The plan may be gone afterwards.
  Wavenumbers(const Plan& plan, std::span<const double> lengths);

  /// Number of axes.
  int axes() const { return static_cast<int>(derivative_k_.size()); }
  /// What a first derivative multiplies coefficient number i along an axis with:
  /// derivative_wavenumber, which is zero for the Nyquist mode.
  double derivative_k(int axis, Index i) const { return derivative_k(axis)[as_size(i)]; }
  /// The angular wavenumber without that exception, angular_wavenumber: what second derivatives are
  /// made of.
  double k(int axis, Index i) const { return k(axis)[as_size(i)]; }
  /// Those of all coefficients of the global array along an axis, which must be there.
  std::span<const double> derivative_k(int axis) const { return derivative_k_[as_size(axis)]; }
  /// Those of all coefficients of the global array along an axis, which must be there.
  std::span<const double> k(int axis) const { return k_[as_size(axis)]; }
  /// Those of the coefficients that this rank owns along an axis, Plan::output().box: the first is
  /// that of coefficient box.lower[axis]. Throws Error where there is no such axis.
  std::span<const double> local_derivative_k(int axis) const { return local(axis, derivative_k_); }
  /// Those of the coefficients that this rank owns along an axis; likewise.
  std::span<const double> local_k(int axis) const { return local(axis, k_); }
  /// Square of the length of the wave vector.
  double k_squared(const Extents& index) const {
    double sum = 0;
    for (int axis = 0; axis < axes(); ++axis) sum += k(axis, index[axis]) * k(axis, index[axis]);
    return sum;
  }

  /// d/dx along an axis, which must have a Fourier transform: throws Error otherwise. This function
  /// and the following ones refer to this object, which must outlive them, and are for plans on the
  /// device of the plan that this was made with.
  LibraryFunction<detail::functions::Derivative> derivative(int axis) const {
    check_derivative(axis);
    return of(detail::functions::Derivative{numbers_.derivative_k[axis], axis});
  }
  /// Sum of the second derivatives.
  LibraryFunction<detail::functions::Laplacian> laplacian() const {
    return of(detail::functions::Laplacian{numbers_});
  }
  /// Solves the Poisson equation laplacian u = f. The constant part, which f must not have, becomes
  /// zero.
  LibraryFunction<detail::functions::InverseLaplacian> inverse_laplacian() const {
    return of(detail::functions::InverseLaplacian{numbers_});
  }
  /// Multiplies with response(k), k the length of the wave vector. For plans on devices the
  /// response has to be a device_function, which is called with k alone.
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
