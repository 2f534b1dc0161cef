#include "weft/calculus.hpp"

#include <nanobind/stl/vector.h>

#include <memory>
#include <type_traits>
#include <variant>

#include "bindings.hpp"
#include "c/element.hpp"
#include "callbacks.hpp"
#include "exchange/agreement.hpp"
#include "plan.hpp"

namespace weft::python {

namespace {

template <class S>
S number_of(const Calculus<S>&);  // only for its type

/// What weft.Calculus is made of. Errors come on every rank.
class CoreCalculus {
 public:
  /// The plan must outlive it. Collective.
  CoreCalculus(const CorePlan& plan, const std::vector<double>& lengths) : plan_(plan) {
    plan.alone([&](Plan& of) {
      collectively(Communicator::duplicate(of.communicator()), [&] {
        c::with_type(of.output().type, [&](auto number) {
          using S = typename decltype(number)::type;
          any_ = std::make_unique<Any>(Calculus<S>(of, lengths));
        });
      });
    });
  }

  void gradient(nb::handle u, nb::handle results) {
    const ForeignArray source(u, physical(), "input", false);
    const auto sinks = foreign_arrays(results, axes(), physical(), "output", true);
    differentiate([&](auto& calculus) { calculus.gradient(source.any(), any_of(sinks)); });
  }
  void divergence(nb::handle v, nb::handle result) {
    const auto sources = foreign_arrays(v, axes(), physical(), "input", false);
    const ForeignArray sink(result, physical(), "output", true);
    differentiate([&](auto& calculus) { calculus.divergence(any_of(sources), sink.any()); });
  }
  void curl(nb::handle v, nb::handle results) {
    const auto sources = foreign_arrays(v, 3, physical(), "input", false);
    const auto sinks = foreign_arrays(results, 3, physical(), "output", true);
    differentiate([&](auto& calculus) { calculus.curl(any_of(sources), any_of(sinks)); });
  }
  /// `function` as in CorePlan::run, for coefficients.
  void apply(nb::handle u, nb::handle result, nb::handle function) {
    ForeignArray source(u, physical(), "input", false);
    const ForeignArray sink(result, physical(), "output", true);
    const GivenCallback given(function, plan_.side(false), "function", &plan_.get());
    if (!given.refusal().empty()) source.refuse(given.refusal());
    operate([&](auto& calculus) { calculus.apply(source.any(), sink.any(), given.function()); });
  }

 private:
  using Any = std::variant<Calculus<float>, Calculus<double>, Calculus<std::complex<float>>,
                           Calculus<std::complex<double>>>;

  const Side& physical() const { return plan_.side(true); }
  std::size_t axes() const { return static_cast<std::size_t>(physical().array.box.axes()); }

  template <class Operation>
  void operate(Operation&& operation) {
    plan_.alone([&](Plan&) { std::visit(operation, *any_); });
  }
  /// For operators that need Fourier transforms, whose coefficients are complex.
  template <class Operation>
  void differentiate(Operation&& operation) {
    operate([&](auto& calculus) {
      if constexpr (std::is_floating_point_v<decltype(number_of(calculus))>) {
        for (int axis = 0; axis < calculus.waves().axes(); ++axis)
          calculus.waves().derivative(axis);
      } else {
        operation(calculus);
      }
    });
  }

  const CorePlan& plan_;
  std::unique_ptr<Any> any_;
};

}  // namespace

void bind_calculus(nb::module_& module) {
  nb::class_<CoreCalculus>(module, "Calculus")
      .def(nb::init<const CorePlan&, const std::vector<double>&>(), nb::arg("plan"),
           nb::arg("lengths"), nb::keep_alive<1, 2>())
      .def("gradient", &CoreCalculus::gradient, nb::arg("u").none(), nb::arg("results"))
      .def("divergence", &CoreCalculus::divergence, nb::arg("v"), nb::arg("result").none())
      .def("curl", &CoreCalculus::curl, nb::arg("v"), nb::arg("results"))
      .def("apply", &CoreCalculus::apply, nb::arg("u").none(), nb::arg("result").none(),
           nb::arg("function"));
}

}  // namespace weft::python
