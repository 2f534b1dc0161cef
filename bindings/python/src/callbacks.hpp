#pragma once

#include <memory>

#include "array.hpp"
#include "weft/pointwise.hpp"
#include "weft/wavenumbers.hpp"

namespace weft::python {

/// A function of the library's own for coefficients of a plan, which Python hands to it.
class Operator {
 public:
  /// What a plan must have in spectral space to which it is applied.
  struct Spectrum {
    Box box;
    Extents shape;
    Axes<Kind> kinds;
    ElementType type;

    bool operator==(const Spectrum&) const = default;
  };

  /// `name` is that for users; `function` is for numbers of the type of the spectrum, and refers to
  /// what `held` keeps.
  Operator(std::string name, Spectrum spectrum, detail::PointFunction function,
           std::shared_ptr<const void> held)
      : name_(std::move(name)),
        spectrum_(std::move(spectrum)),
        function_(function),
        held_(std::move(held)) {}

  const std::string& name() const { return name_; }
  const Spectrum& spectrum() const { return spectrum_; }
  const detail::PointFunction& function() const { return function_; }

 private:
  std::string name_;
  Spectrum spectrum_;
  detail::PointFunction function_;
  std::shared_ptr<const void> held_;
};

/// What Python gives as on_input or on_output: None, an Operator, or a callable, which is called
/// with blocks of numbers and returns None, or what went wrong. Or an exception: why there is none.
class GivenCallback {
 public:
  /// `plan` is null where the numbers are no coefficients of it.
  GivenCallback(nb::handle given, const Side& side, const std::string& name, const Plan* plan);

  /// Refers to this object.
  detail::PointFunction function() const;
  /// Why it cannot be used; empty where it can.
  const std::string& refusal() const { return refusal_; }

  void operator()(const PointBlock& block) const;

 private:
  nb::object given_;
  const Operator* operator_ = nullptr;
  Batch batch_;
  ElementType type_;
  std::string refusal_;
};

/// What an operator for a plan must fit to.
Operator::Spectrum spectrum_of(const Plan& plan);

/// on_input and on_output of one call.
class GivenCallbacks {
 public:
  /// `in` and `out` are the sides that are read and written.
  GivenCallbacks(nb::handle on_input, nb::handle on_output, const Side& in, const Side& out,
                 bool forward, const Plan& plan)
      : input_(on_input, in, "on_input", forward ? nullptr : &plan),
        output_(on_output, out, "on_output", forward ? &plan : nullptr) {}

  /// Refer to this object.
  detail::PointFunctions functions() const { return {input_.function(), output_.function()}; }
  /// Why they cannot be used; empty where they can.
  const std::string& refusal() const {
    return input_.refusal().empty() ? output_.refusal() : input_.refusal();
  }

 private:
  GivenCallback input_, output_;
};

}  // namespace weft::python
