#pragma once

#include <memory>

#include "array.hpp"
#include "weft/pointwise.hpp"
#include "weft/waves.hpp"

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
  Operator(std::string name, Spectrum spectrum, PointFunction function,
           std::shared_ptr<const void> held)
      : name_(std::move(name)),
        spectrum_(std::move(spectrum)),
        function_(function),
        held_(std::move(held)) {}

  const std::string& name() const { return name_; }
  const Spectrum& spectrum() const { return spectrum_; }
  const PointFunction& function() const { return function_; }

 private:
  std::string name_;
  Spectrum spectrum_;
  PointFunction function_;
  std::shared_ptr<const void> held_;
};

/// What Python gives as on_input or on_output: None, an Operator, or a callable, which is called
/// with blocks of numbers and returns None, or what went wrong. Or an exception: why there is none.
class GivenFunction {
 public:
  /// `spectrum` is that of the plan where the numbers are coefficients.
  GivenFunction(nb::handle given, const Side& side, const std::string& name,
                const std::optional<Operator::Spectrum>& spectrum);

  /// Refers to this object.
  PointFunction function() const;
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

}  // namespace weft::python
