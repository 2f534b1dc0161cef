#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// resolve_layout(layout, shape, ranks, rank): the boxes of all ranks, and the memory of one. No
/// communication.
void bind_geometry(nanobind::module_& module);

}  // namespace weft::python
