#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// Calculus: operators of vector calculus on arrays of a plan.
void bind_calculus(nanobind::module_& module);

}  // namespace weft::python
