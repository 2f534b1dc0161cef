#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <iterator>
#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "geometry/unknown_name.hpp"
#include "integer.hpp"
#include "problem.hpp"
#include "weft/error.hpp"

namespace nb = nanobind;

namespace {

/// Works before MPI is initialized, too.
std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}

std::string unknown_name(const std::string& what, const std::string& name,
                         const std::vector<std::string>& known) {
  return weft::unknown_name(what, name, {known.begin(), known.end()}).what();
}

/// By the number of the code.
constexpr const char* error_codes[] = {"argument", "unsupported", "memory",  "mpi",
                                       "device",   "file",        "callback"};
static_assert(std::size(error_codes) == static_cast<int>(weft::ErrorCode::callback) + 1);

/// Raises weft.Error for an Error of the library.
void raise_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const weft::Error& error) {
    const std::string_view text = error.what();
    const nb::object shown = nb::steal(PyUnicode_DecodeUTF8(
        text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
    const nb::object type = nb::module_::import_("weft._errors").attr("Error");
    const nb::object raised = type(shown, error_codes[static_cast<int>(error.code())]);
    PyErr_SetObject(type.ptr(), raised.ptr());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator(raise_error);
  module.def("mpi_library_version", mpi_library_version);
  module.def("integer", weft::python::integer_of<weft::Index>, nb::arg("given").none(),
             nb::arg("name"));
  module.def("unknown_name", unknown_name, nb::arg("what"), nb::arg("name"), nb::arg("known"));
  module.def("layout_members", weft::python::layout_members, nb::arg("text"));
  weft::python::bind_trace(module);
  weft::python::bind_plan(module);
  weft::python::bind_wavenumbers(module);
  weft::python::bind_calculus(module);
  weft::python::bind_halo(module);
  weft::python::bind_spectral(module);
  weft::python::bind_tables(module);
  weft::python::bind_geometry(module);
}
