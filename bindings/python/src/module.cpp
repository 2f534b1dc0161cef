#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <vector>

#include "bindings.hpp"
#include "geometry/unknown_name.hpp"
#include "integer.hpp"
#include "problem.hpp"
#include "weft/error.hpp"

namespace nb = nanobind;

namespace {

/// Works before MPI is initialised, too.
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

}  // namespace

NB_MODULE(_core, module) {
  nb::exception<weft::Error>(module, "Error", PyExc_RuntimeError);
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
