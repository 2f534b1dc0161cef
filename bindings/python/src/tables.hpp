#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// Functions that tell what can be chosen, as `weft list` does.
void bind_tables(nanobind::module_& module);

}  // namespace weft::python
