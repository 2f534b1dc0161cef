#pragma once

#include <span>
#include <vector>

#include "weft/wavenumbers.hpp"

namespace weft {

/// Operators of vector calculus on fields in physical space, in the layout `input` of a plan whose
/// kinds are Fourier transforms (for laplacian, inverse_laplacian and filter: any), with numbers of
/// type S in spectral space. Each one transforms forward, applies the operator in a callback, and
/// transforms backward, so there are no additional memory passes. Collective. Outputs may be
/// inputs, because everything is read before anything is written.
template <class S = std::complex<double>>
class Calculus {
 public:
  /// Keeps a reference to the plan. Memory for coefficients is allocated when it is first needed.
  Calculus(Plan& plan, std::span<const double> lengths) : plan_(plan), waves_(plan, lengths) {}

  const Wavenumbers& waves() const { return waves_; }  ///< wavenumbers of the plan in this box

  /// result[a] = d/dx_a of u, one array for each axis.
  template <NumberArray In, class Out>
  void gradient(const In& u, const Out& result) {
    S* const hat = coefficients(0);
    plan_.forward(u, hat);
    for (int axis = 0; axis < waves_.axes(); ++axis) {
      plan_.backward(hat, result[static_cast<std::size_t>(axis)],
                     on_input(waves_.derivative(axis)));
    }
  }

  /// Sum of d/dx_a of v[a].
  template <class In, NumberArray Out>
  void divergence(const In& v, Out&& result) {
    S* sum = nullptr;
    for (int axis = 0; axis < waves_.axes(); ++axis) {
      const detail::functions::DivergenceTerm<Number> term{waves_.derivative(axis).function(),
                                                           seen(sum)};
      sum = coefficients(static_cast<std::size_t>(axis) % 2);
      plan_.forward(v[static_cast<std::size_t>(axis)], sum, on_output(of(term)));
    }
    plan_.backward(sum, result);
  }

  /// The curl of a vector field with three components, along the first three axes.
  template <class In, class Out>
  void curl(const In& v, const Out& result) {
    S* hat[3];
    for (int a = 0; a < 3; ++a) {
      waves_.derivative(a);
      hat[a] = coefficients(static_cast<std::size_t>(a));
    }
    for (std::size_t a = 0; a < 3; ++a) plan_.forward(v[a], hat[a]);
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const detail::functions::CurlComponent<Number> component{
          waves_.derivative(b).function(), waves_.derivative(c).function(), seen(hat[b])};
      plan_.backward(hat[c], result[static_cast<std::size_t>(a)], on_input(of(component)));
    }
  }

  /// Sum of the second derivatives of u.
  template <NumberArray In, NumberArray Out>
  void laplacian(const In& u, Out&& result) {
    apply(u, result, waves_.laplacian());
  }
  /// Solves the Poisson equation laplacian result = f. The mean of f must be zero; that of the
  /// result is zero.
  template <NumberArray In, NumberArray Out>
  void inverse_laplacian(const In& f, Out&& result) {
    apply(f, result, waves_.inverse_laplacian());
  }
  /// Multiplies every mode by response(k), where k is the length of its wave vector. On devices the
  /// response must be a device_function.
  template <NumberArray In, NumberArray Out, class Response>
  void filter(const In& u, Out&& result, const Response& response) {
    apply(u, result, waves_.filter(response));
  }
  /// Applies any function f(value, point) to the coefficients; on devices it must be a
  /// device_function.
  template <NumberArray In, NumberArray Out, class Function>
  void apply(const In& u, Out&& result, const Function& function) {
    S* const hat = coefficients(0);
    plan_.forward(u, hat, on_output(function));
    plan_.backward(hat, result);
  }

 private:
  static_assert(is_element<S>);

  using Number = typename detail::DeviceNumberOf<S>::type;

  static const Number* seen(const S* numbers) { return reinterpret_cast<const Number*>(numbers); }
  template <class F>
  LibraryFunction<F> of(const F& function) const {
    return {function, waves_.on_device()};
  }
  S* coefficients(std::size_t number) {
    while (hats_.size() <= number) hats_.emplace_back(plan_, plan_.output().allocation_size);
    return hats_[number].data();
  }

  Plan& plan_;
  Wavenumbers waves_;
  std::vector<PlanArray<S>> hats_;
};

}  // namespace weft
