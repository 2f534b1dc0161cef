# ZFP, compressed floating point arrays. Defines ZFP::ZFP; honors ZFP_ROOT.
find_path(ZFP_INCLUDE_DIR zfp.h)
find_library(ZFP_LIBRARY zfp)
mark_as_advanced(ZFP_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ZFP REQUIRED_VARS ZFP_INCLUDE_DIR ZFP_LIBRARY)

if(ZFP_FOUND AND NOT TARGET ZFP::ZFP)
  add_library(ZFP::ZFP INTERFACE IMPORTED)
  target_include_directories(ZFP::ZFP INTERFACE ${ZFP_INCLUDE_DIR})
  target_link_libraries(ZFP::ZFP INTERFACE ${ZFP_LIBRARY})
endif()
