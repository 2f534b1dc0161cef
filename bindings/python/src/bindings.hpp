#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "array.hpp"

namespace weft::python {

/// What weft._core has, each in the file of that name.
void bind_calculus(nanobind::module_& module);
void bind_geometry(nanobind::module_& module);
void bind_halo(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_spectral(nanobind::module_& module);
void bind_tables(nanobind::module_& module);
void bind_trace(nanobind::module_& module);
void bind_wavenumbers(nanobind::module_& module);

/// The beginning of an object whose making is collective: `comm` is Fortran's handle, `refusal`
/// says why the arguments could not be brought into `request`.
template <class T>
nanobind::class_<T> bind_collective(nanobind::module_& module, const char* name) {
  nanobind::class_<T> made(module, name);
  made.def(nanobind::init<int, const Members&, const std::string&>(), nanobind::arg("comm"),
           nanobind::arg("request"), nanobind::arg("refusal"));
  made.def("destroy", &T::destroy);
  made.def_prop_ro("is_destroyed", &T::is_destroyed);
  return made;
}

}  // namespace weft::python
