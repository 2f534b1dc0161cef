# What `cmake --install` installs: library, headers, the package for find_package(weft), weft.pc.
# (Programs are installed by their folders in apps/.)
include(CMakePackageConfigHelpers)

option(WEFT_INSTALL "Make rules that install weft" ${PROJECT_IS_TOP_LEVEL})
if(NOT WEFT_INSTALL)
  return()
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(TARGETS weft EXPORT weftTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
if(WEFT_BUILD_APPS)
  set_target_properties(weft_command poisson navier_stokes PROPERTIES
    INSTALL_RPATH "$ORIGIN/${bin_to_lib};$ORIGIN/${bin_to_lib}/weft")
  get_target_property(type weft_internal TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    install(TARGETS weft_internal LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weft)
  endif()
endif()

# The library with the names of FFTW-MPI, and a folder with the names of FFTW-MPI's files.
if(TARGET weft_fftw3_mpi)
  install(TARGETS weft_fftw3_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(name libfftw3_mpi.so.3 libfftw3f_mpi.so.3)
    install(CODE "
      set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/weft/fftw3\")
      file(MAKE_DIRECTORY \"\${folder}\")
      file(CREATE_LINK ../../libweft_fftw3_mpi.so \"\${folder}/${name}\" SYMBOLIC)")
  endforeach()
endif()

# find_package(weft) -> weft::weft, and weft::c for programs in C
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${package_dir})
get_target_property(type weft TYPE)
string(COMPARE EQUAL "${type}" STATIC_LIBRARY weft_is_static)
get_target_property(weft_links weft LINK_LIBRARIES)
foreach(package MKL ZFP Blosc NCCL)
  string(TOLOWER ${package} lower)
  if("${package}::${package}" IN_LIST weft_links)
    set(weft_has_${lower} TRUE)
  else()
    set(weft_has_${lower} FALSE)
  endif()
endforeach()
set(weft_has_cuda FALSE)
set(weft_has_hip FALSE)
set(weft_has_hipfft FALSE)
if(WEFT_KERNEL_LANGUAGE STREQUAL "CUDA")
  set(weft_has_cuda TRUE)
elseif(WEFT_KERNEL_LANGUAGE STREQUAL "HIP")
  set(weft_has_hip TRUE)
endif()
if(WEFT_VENDOR_FFT STREQUAL "hip::hipfft")
  set(weft_has_hipfft TRUE)
endif()
# The compiler wrapper for C of the same MPI goes by the same rule as that for C++, where there is
# one: mpicxx.openmpi, mpicc.openmpi.
string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC)([^/]*)$" "mpicc\\2" weft_mpicc "${MPI_CXX_COMPILER}")
if(weft_mpicc STREQUAL MPI_CXX_COMPILER OR NOT EXISTS "${weft_mpicc}")
  set(weft_mpicc)
endif()

# The interface of Fortran, weft::fortran, is for projects with that language.
set(weft_has_fortran ${WEFT_FORTRAN_BUILT})
set(weft_mpifort "${MPI_Fortran_COMPILER}")
if(weft_has_fortran)
  install(TARGETS weft_fortran EXPORT weftFortranTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(weft_fortran PROPERTIES INSTALL_RPATH "$ORIGIN")
  get_target_property(modules weft_fortran Fortran_MODULE_DIRECTORY)
  install(DIRECTORY ${modules}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft_fortran
          FILES_MATCHING PATTERN "*.mod")
  install(EXPORT weftFortranTargets NAMESPACE weft:: DESTINATION ${package_dir})
endif()

configure_package_config_file(cmake/weftConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake DESTINATION ${package_dir})

# find_package(Heffte), for programs written for heFFTe: -DHeffte_DIR=PREFIX/lib/cmake/weft/heffte
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/HeffteConfigVersion.cmake
                                 VERSION 2.4.1 COMPATIBILITY SameMajorVersion)
install(FILES cmake/HeffteConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/HeffteConfigVersion.cmake
        DESTINATION ${package_dir}/heffte)

# pkg-config: to be used with the compiler wrapper of the MPI that weft was built with.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(pc_libs "-lweft")
if(weft_is_static)
  # Every user of the archive needs what it was linked with.
  install(FILES cmake/FindFFTW.cmake cmake/FindMKL.cmake cmake/FindZFP.cmake cmake/FindBlosc.cmake
                cmake/FindNCCL.cmake DESTINATION ${package_dir})
  find_package(FFTW REQUIRED QUIET)
  find_package(OpenMP REQUIRED QUIET COMPONENTS CXX)
  get_target_property(libraries FFTW::FFTW INTERFACE_LINK_LIBRARIES)
  if(weft_has_mkl)
    find_package(MKL REQUIRED QUIET)
    get_target_property(mkl_libraries MKL::MKL INTERFACE_LINK_LIBRARIES)
    list(APPEND libraries ${mkl_libraries})
  endif()
  if(weft_has_zfp)
    find_package(ZFP REQUIRED QUIET)
    list(APPEND libraries ${ZFP_LIBRARY})
  endif()
  if(weft_has_blosc)
    find_package(Blosc REQUIRED QUIET)
    list(APPEND libraries ${Blosc_LIBRARY})
  endif()
  if(weft_has_cuda)
    list(APPEND libraries ${CUDA_cudart_LIBRARY})
  elseif(weft_has_hip)
    list(APPEND libraries amdhip64)
  endif()
  if(weft_has_hipfft)
    list(APPEND libraries hipfft)
  endif()
  if(weft_has_nccl)
    list(APPEND libraries ${NCCL_LIBRARY})
  endif()
  list(TRANSFORM libraries REPLACE "^([^-/].*)$" "-l\\1")
  list(JOIN libraries " " libraries)
  string(APPEND pc_libs " ${libraries} ${OpenMP_CXX_FLAGS}")
endif()
configure_file(cmake/weft.pc.in weft.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weft.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(weft_has_fortran)
  set(pc_fortran_libs "-lweft_fortran")
  if(weft_is_static)
    # What C++ programs get from their compiler.
    string(APPEND pc_fortran_libs " ${pc_libs} -lstdc++")
  endif()
  configure_file(cmake/weft_fortran.pc.in weft_fortran.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weft_fortran.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
