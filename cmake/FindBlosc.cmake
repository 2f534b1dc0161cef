# Blosc 1, lossless compression of numbers. Defines Blosc::Blosc; honors Blosc_ROOT.
find_path(Blosc_INCLUDE_DIR blosc.h)
find_library(Blosc_LIBRARY blosc)
mark_as_advanced(Blosc_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Blosc REQUIRED_VARS Blosc_INCLUDE_DIR Blosc_LIBRARY)

if(Blosc_FOUND AND NOT TARGET Blosc::Blosc)
  add_library(Blosc::Blosc INTERFACE IMPORTED)
  target_include_directories(Blosc::Blosc INTERFACE ${Blosc_INCLUDE_DIR})
  target_link_libraries(Blosc::Blosc INTERFACE ${Blosc_LIBRARY})
endif()
