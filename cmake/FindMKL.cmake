# Intel MKL's Fourier transforms, linked statically and sequentially: weft runs the threads, and
# nothing of MKL is seen by programs that use another MKL. Defines MKL::MKL; honors MKL_ROOT and
# MKLROOT, and finds the packages mkl-static and mkl-include of PyPI in a virtual environment.
set(_mkl_hints ${MKL_ROOT} $ENV{MKLROOT} $ENV{VIRTUAL_ENV})
find_path(MKL_INCLUDE_DIR mkl_dfti.h HINTS ${_mkl_hints} PATH_SUFFIXES include include/mkl)
set(_mkl_variables)
foreach(name mkl_intel_lp64 mkl_sequential mkl_core)
  find_library(MKL_${name}_LIBRARY NAMES lib${name}.a HINTS ${_mkl_hints}
               PATH_SUFFIXES lib lib/intel64)
  mark_as_advanced(MKL_${name}_LIBRARY)
  list(APPEND _mkl_variables MKL_${name}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MKL REQUIRED_VARS MKL_INCLUDE_DIR ${_mkl_variables})

if(MKL_FOUND AND NOT TARGET MKL::MKL)
  add_library(MKL::MKL INTERFACE IMPORTED)
  target_include_directories(MKL::MKL INTERFACE ${MKL_INCLUDE_DIR})
  target_link_libraries(MKL::MKL INTERFACE
    -Wl,--start-group ${MKL_mkl_intel_lp64_LIBRARY} ${MKL_mkl_sequential_LIBRARY}
    ${MKL_mkl_core_LIBRARY} -Wl,--end-group pthread m dl)
endif()
