#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "calculus.hpp"
#include "geometry.hpp"
#include "halo.hpp"
#include "integer.hpp"
#include "plan.hpp"
#include "problem.hpp"
#include "spectral.hpp"
#include "tables.hpp"
#include "trace.hpp"
#include "wavenumbers.hpp"
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

}  // namespace

NB_MODULE(_core, module) {
  nb::exception<weft::Error>(module, "Error", PyExc_RuntimeError);
  module.def("mpi_library_version", mpi_library_version);
  module.def("integer", weft::python::integer_of<weft::Index>, nb::arg("given").none(),
             nb::arg("name"));
  module.def("layout_members", weft::python::layout_members, nb::arg("text"));
  weft::python::bind_trace(module);
  weft::python::bind_plan(module);
  weft::python::bind_waves(module);
  weft::python::bind_calculus(module);
  weft::python::bind_halo(module);
  weft::python::bind_spectral(module);
  weft::python::bind_tables(module);
  weft::python::bind_geometry(module);
}
