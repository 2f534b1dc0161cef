#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// Halo: exchanges of distributed arrays.
void bind_halo(nanobind::module_& module);

}  // namespace weft::python
