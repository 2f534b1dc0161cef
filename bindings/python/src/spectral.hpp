#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// Convolution and LongTransform, which are made of plans, and numbers about axes.
void bind_spectral(nanobind::module_& module);

}  // namespace weft::python
