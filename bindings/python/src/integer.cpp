#include "integer.hpp"

#include <nanobind/stl/string.h>

#include "array.hpp"

namespace weft::python {

namespace {

bool is_bool(nb::handle given) {
  if (PyLong_Check(given.ptr()) != 0) return PyBool_Check(given.ptr()) != 0;
  // That of NumPy, which has another name in its first version.
  const std::string type = name_of_type(given);
  return type == "bool" || type == "bool_";
}

}  // namespace

nb::object exact_integer(nb::handle given, const std::string& name) {
  if (!is_bool(given)) {
    const nb::object exact = nb::steal(PyNumber_Index(given.ptr()));
    if (exact.is_valid()) return exact;
    PyErr_Clear();
  }
  throw Error(named(given, name) + ": must be an integer");
}

std::string named(nb::handle given, const std::string& name) {
  return name + " " + nb::cast<std::string>(nb::repr(given));
}

}  // namespace weft::python
