# FFTW 3 in single and double precision, with OpenMP threads.
# Defines the target FFTW::FFTW; honors FFTW_ROOT.
find_path(FFTW_INCLUDE_DIR fftw3.h)
set(_fftw_libraries fftw3_omp fftw3 fftw3f_omp fftw3f)
set(_fftw_variables)
foreach(name ${_fftw_libraries})
  find_library(FFTW_${name}_LIBRARY ${name})
  mark_as_advanced(FFTW_${name}_LIBRARY)
  list(APPEND _fftw_variables FFTW_${name}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW REQUIRED_VARS FFTW_INCLUDE_DIR ${_fftw_variables})

if(FFTW_FOUND AND NOT TARGET FFTW::FFTW)
  add_library(FFTW::FFTW INTERFACE IMPORTED)
  target_include_directories(FFTW::FFTW INTERFACE ${FFTW_INCLUDE_DIR})
  foreach(variable ${_fftw_variables})
    target_link_libraries(FFTW::FFTW INTERFACE ${${variable}})
  endforeach()
endif()
