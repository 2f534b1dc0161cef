# The interface for Fortran: whether it can be built here. Sets WEFT_FORTRAN_BUILT.
include(CheckCXXSourceCompiles)
include(CheckLanguage)

set(WEFT_WITH_FORTRAN AUTO CACHE STRING "Build the interface for Fortran: ON, OFF or AUTO")
set_property(CACHE WEFT_WITH_FORTRAN PROPERTY STRINGS AUTO ON OFF)

set(weft_fortran_missing "")
if(WEFT_WITH_FORTRAN STREQUAL "OFF")
  set(weft_fortran_missing "it is switched off")
else()
  check_language(Fortran)
  if(NOT CMAKE_Fortran_COMPILER)
    set(weft_fortran_missing "there is no Fortran compiler")
  else()
    # For the whole project, as programs link with what is compiled in bindings.
    enable_language(Fortran)
    # The wrapper of the same MPI goes by the same rule as that for C++: mpicxx.openmpi,
    # mpifort.openmpi.
    if(MPI_CXX_COMPILER AND NOT MPI_Fortran_COMPILER)
      string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC)([^/]*)$" "mpifort\\2" wrapper "${MPI_CXX_COMPILER}")
      if(EXISTS "${wrapper}" AND NOT wrapper STREQUAL MPI_CXX_COMPILER)
        set(MPI_Fortran_COMPILER "${wrapper}" CACHE FILEPATH "MPI compiler for Fortran")
      endif()
    endif()
    find_package(MPI QUIET COMPONENTS Fortran)
    check_cxx_source_compiles("
      #include <ISO_Fortran_binding.h>
      int main() { return CFI_type_double == CFI_type_float; }" WEFT_HAVE_FORTRAN_DESCRIPTORS)
    find_package(Python3 QUIET COMPONENTS Interpreter)
    if(NOT MPI_Fortran_FOUND)
      set(weft_fortran_missing "MPI has no interface for Fortran (try MPI_Fortran_COMPILER)")
    elseif(NOT WEFT_HAVE_FORTRAN_DESCRIPTORS)
      set(weft_fortran_missing "the C++ compiler does not find ISO_Fortran_binding.h")
    elseif(NOT Python3_Interpreter_FOUND)
      set(weft_fortran_missing "there is no Python 3, which writes its interfaces to C")
    endif()
  endif()
endif()

if(NOT weft_fortran_missing)
  set(WEFT_FORTRAN_BUILT TRUE)
else()
  set(WEFT_FORTRAN_BUILT FALSE)
  if(WEFT_WITH_FORTRAN STREQUAL "ON")
    message(FATAL_ERROR
      "the interface for Fortran is asked for (WEFT_WITH_FORTRAN=ON): ${weft_fortran_missing}")
  endif()
  message(STATUS "weft: no interface for Fortran: ${weft_fortran_missing}")
endif()
