#include "weft/wavenumbers.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <type_traits>

#include "bindings.hpp"
#include "c/element.hpp"
#include "callbacks.hpp"
#include "integer.hpp"
#include "plan.hpp"

namespace weft::python {

namespace {

/// An operator made of a callback of the library. `waves`: what it refers to, if it does.
template <bool for_complex_only = false, class F>
Operator operator_of(std::string name, const Operator::Spectrum& spectrum,
                     std::shared_ptr<const Wavenumbers> waves, F f) {
  struct Held {
    std::shared_ptr<const Wavenumbers> waves;
    F function;
  };
  const auto held = std::make_shared<const Held>(Held{std::move(waves), std::move(f)});
  detail::PointFunction function;
  c::with_type(spectrum.type, [&](auto number) {
    using T = typename decltype(number)::type;
    if constexpr (!for_complex_only || !std::is_floating_point_v<T>) {
      function = detail::PointFunction::of<T>(held->function);
    }
  });
  return {std::move(name), spectrum, function, held};
}

void check_axis(const Wavenumbers& waves, int axis) {
  if (axis >= 0 && axis < waves.axes()) return;
  throw Error("wavenumbers along axis " + std::to_string(axis) + " of " +
              std::to_string(waves.axes()));
}

/// What weft.Wavenumbers is made of: the wavenumbers of a plan, and operators made of them.
class CoreWaves {
 public:
  CoreWaves(const CorePlan& plan, const std::vector<double>& lengths)
      : waves_(std::make_shared<const Wavenumbers>(plan.get(), lengths)),
        spectrum_(spectrum_of(plan.get())) {}

  /// Of all coefficients along an axis.
  std::vector<double> numbers(nb::handle of_axis, bool first) const {
    const int axis = integer_of<int>(of_axis, "axis");
    check_axis(*waves_, axis);
    std::vector<double> numbers;
    for (Index i = 0; i < spectrum_.shape[axis]; ++i) {
      numbers.push_back(first ? waves_->derivative_k(axis, i) : waves_->k(axis, i));
    }
    return numbers;
  }

  Operator derivative(nb::handle along) const {
    const int axis = integer_of<int>(along, "axis");
    // Coefficients of plans with a Fourier transform, which it asks for, are complex.
    return operator_of<true>("derivative(" + std::to_string(axis) + ")", spectrum_, waves_,
                             waves_->derivative(axis));
  }
  Operator laplacian() const {
    return operator_of("laplacian()", spectrum_, waves_, waves_->laplacian());
  }
  Operator inverse_laplacian() const {
    return operator_of("inverse_laplacian()", spectrum_, waves_, waves_->inverse_laplacian());
  }

  /// Multiplies each coefficient of this rank with a number: `factors` has the shape of its box.
  Operator factors(const nb::ndarray<const double, nb::c_contig, nb::device::cpu>& factors) const {
    const Extents extents = spectrum_.box.extents();
    bool fits = factors.ndim() == static_cast<std::size_t>(extents.size());
    for (int axis = 0; fits && axis < extents.size(); ++axis) {
      fits = static_cast<Index>(factors.shape(static_cast<std::size_t>(axis))) == extents[axis];
    }
    if (!fits) throw Error("factors: one is needed for each coefficient of this rank");
    std::vector<double> numbers;
    if (factors.size() > 0) numbers.assign(factors.data(), factors.data() + factors.size());
    return operator_of(
        "filter()", spectrum_, nullptr,
        [numbers = std::move(numbers), box = spectrum_.box](auto& value, const Point& point) {
          Index at = 0;
          for (int axis = 0; axis < box.axes(); ++axis) {
            at = at * box.extent(axis) + point.index[axis] - box.lower[axis];
          }
          detail::scale_number(value, numbers[static_cast<std::size_t>(at)]);
        });
  }

 private:
  std::shared_ptr<const Wavenumbers> waves_;
  Operator::Spectrum spectrum_;
};

}  // namespace

void bind_wavenumbers(nb::module_& module) {
  nb::class_<Operator>(module, "Operator").def("__repr__", [](const Operator& of) {
    return "<weft operator " + of.name() + ">";
  });
  nb::class_<CoreWaves>(module, "Wavenumbers")
      .def(nb::init<const CorePlan&, const std::vector<double>&>(), nb::arg("plan"),
           nb::arg("lengths"))
      .def("numbers", &CoreWaves::numbers, nb::arg("axis").none(), nb::arg("first"))
      .def("derivative", &CoreWaves::derivative, nb::arg("axis").none())
      .def("laplacian", &CoreWaves::laplacian)
      .def("inverse_laplacian", &CoreWaves::inverse_laplacian)
      .def("factors", &CoreWaves::factors, nb::arg("factors"));
}

}  // namespace weft::python
