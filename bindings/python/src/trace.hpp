#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

void bind_trace(nanobind::module_& module);

}  // namespace weft::python
