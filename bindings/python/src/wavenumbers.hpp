#pragma once

#include <nanobind/stl/vector.h>

#include <memory>

#include "functions.hpp"
#include "plan.hpp"
#include "weft/wavenumbers.hpp"

namespace weft::python {

/// What weft.Wavenumbers is made of: the wavenumbers of a plan, and operators made of them.
class CoreWaves {
 public:
  CoreWaves(const CorePlan& plan, const std::vector<double>& lengths);

  /// Of all coefficients along an axis.
  std::vector<double> numbers(int axis, bool first) const;
  Operator derivative(int axis) const;
  Operator laplacian() const;
  Operator inverse_laplacian() const;
  /// Multiplies each coefficient of this rank with a number: `factors` has the shape of its box.
  Operator factors(const nb::ndarray<const double, nb::c_contig, nb::device::cpu>& factors) const;

 private:
  std::shared_ptr<const Wavenumbers> waves_;
  Operator::Spectrum spectrum_;
};

void bind_waves(nb::module_& module);

}  // namespace weft::python
