# Programs of FFTW-MPI, written for its own headers, with weft's library linked before FFTW, preloaded,
# and under FFTW's file names.
find_path(FFTW_MPI_INCLUDE_DIR fftw3-mpi.h)
mark_as_advanced(FFTW_MPI_INCLUDE_DIR)
if(NOT FFTW_MPI_INCLUDE_DIR)
  message(STATUS "Programs of FFTW-MPI are not tested: there is no fftw3-mpi.h")
  return()
endif()

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED QUIET COMPONENTS CXX)
# Whether FFTW-MPI is there, and built with the MPI library of this build.
set(genuine FALSE)
if(FFTW3_MPI_LIBRARY AND FFTW3F_MPI_LIBRARY)
  execute_process(COMMAND ldd ${FFTW3_MPI_LIBRARY} OUTPUT_VARIABLE needed)
  foreach(library ${MPI_CXX_LIBRARIES})
    file(REAL_PATH ${library} library)
    string(REGEX MATCHALL "/[^ ]*libmpi[^ ]*" found "${needed}")
    foreach(file ${found})
      file(REAL_PATH ${file} file)
      if(file STREQUAL library)
        set(genuine TRUE)
      endif()
    endforeach()
  endforeach()
endif()

# weft_fftw_program(NAME sources... [SINGLE] [GENUINE]): links weft's library first, or FFTW's alone.
function(weft_fftw_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "SINGLE;GENUINE" "" "")
  list(TRANSFORM program_UNPARSED_ARGUMENTS PREPEND bindings/fftw_mpi/)
  add_executable(${name} ${program_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${FFTW_MPI_INCLUDE_DIR})
  if(NOT program_GENUINE)
    target_link_libraries(${name} PRIVATE weft_fftw3_mpi)
  endif()
  if(genuine)
    target_link_libraries(${name} PRIVATE ${FFTW3_MPI_LIBRARY} ${FFTW3F_MPI_LIBRARY})
  endif()
  target_link_libraries(${name} PRIVATE
    ${FFTW_fftw3_omp_LIBRARY} ${FFTW_fftw3_LIBRARY} ${FFTW_fftw3f_LIBRARY} MPI::MPI_CXX ${CMAKE_DL_LIBS} m pthread)
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:C>:-std=c11;-D_GNU_SOURCE;-Wall;-Wextra>)
  if(program_SINGLE)
    target_compile_definitions(${name} PRIVATE SINGLE)
  endif()
  add_dependencies(weft_mpi_tests ${name})
endfunction()

# weft_fftw_test(NAME RANKS 1 2 3 ... COMMAND program... [ENVIRONMENT variables...])
function(weft_fftw_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "RANKS;COMMAND;ENVIRONMENT")
  foreach(ranks ${test_RANKS})
    add_test(NAME ${name}.${ranks}
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${WEFT_MPIEXEC_FLAGS}
                     ${test_COMMAND})
    set_tests_properties(${name}.${ranks} PROPERTIES
      TIMEOUT 120 PROCESSORS ${ranks} LABELS "mpi;ranks=${ranks}"
      ENVIRONMENT "${test_environment};${test_ENVIRONMENT}")
  endforeach()
endfunction()

set(random_sources random_plans.c problem.c direct_sums.c)
weft_fftw_program(fftw_mpi_plans ${random_sources})
weft_fftw_program(fftwf_mpi_plans ${random_sources} SINGLE)
foreach(program fftw_mpi_plans fftwf_mpi_plans)
  weft_fftw_test(test_${program} RANKS 1 2 3 4 COMMAND $<TARGET_FILE:${program}> weft
    ENVIRONMENT WEFT_FFTW=strict)
endforeach()
weft_fftw_program(fftw_mpi_habits habits.c)
weft_fftw_test(test_fftw_mpi_habits RANKS 1 2 3 COMMAND $<TARGET_FILE:fftw_mpi_habits>
  ENVIRONMENT WEFT_FFTW=strict)

weft_fftw_program(fftw_mpi_beyond_weft beyond_weft.c)
weft_fftw_test(test_fftw_mpi_without_fftw RANKS 1 3
  COMMAND $<TARGET_FILE:fftw_mpi_beyond_weft> absent ENVIRONMENT WEFT_FFTW3_MPI=)
add_library(fftw_of_another_mpi MODULE bindings/fftw_mpi/of_another_mpi.c)
add_dependencies(weft_mpi_tests fftw_of_another_mpi)
weft_fftw_test(test_fftw_mpi_of_another_mpi RANKS 1 2
  COMMAND $<TARGET_FILE:fftw_mpi_beyond_weft> absent
  ENVIRONMENT WEFT_FFTW3_MPI=$<TARGET_FILE:fftw_of_another_mpi>)
if(TARGET weft_fortran)
  weft_fftw_program(fftw_mpi_in_fortran client.f90)
  target_link_libraries(fftw_mpi_in_fortran PRIVATE MPI::MPI_Fortran)
  set_target_properties(fftw_mpi_in_fortran PROPERTIES
    LINKER_LANGUAGE Fortran
    Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fftw_mpi_in_fortran.modules)
  weft_fftw_test(test_fftw_mpi_in_fortran RANKS 1 2 3 COMMAND $<TARGET_FILE:fftw_mpi_in_fortran>
    ENVIRONMENT WEFT_FFTW=strict)
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME test_fftw_mpi_exports
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_exports.py
                 $<TARGET_FILE:weft_fftw3_mpi> ${FFTW_MPI_INCLUDE_DIR})
set_tests_properties(test_fftw_mpi_exports PROPERTIES LABELS serial)

# Sanitizers must come first among the libraries of a program.
if(NOT WEFT_SANITIZE)
  set(preloaded env LD_PRELOAD=$<TARGET_FILE:weft_fftw3_mpi>)
  add_test(NAME test_fftw_mpi_preloaded_without_mpi
           COMMAND ${preloaded} WEFT_FFTW=verbose,strict ${CMAKE_COMMAND} -E echo hello)
  set_tests_properties(test_fftw_mpi_preloaded_without_mpi PROPERTIES
    LABELS serial PASS_REGULAR_EXPRESSION "^hello\n$")
endif()
if(NOT genuine)
  # There may be one for another MPI library.
  weft_fftw_test(test_fftw_mpi_beyond_weft RANKS 2
    COMMAND $<TARGET_FILE:fftw_mpi_beyond_weft> absent)
  return()
endif()

weft_fftw_test(test_fftw_mpi_beyond_weft RANKS 1 2 3
  COMMAND $<TARGET_FILE:fftw_mpi_beyond_weft> present)
weft_fftw_program(fftw_mpi_local_sizes local_sizes.c problem.c)
set(sizes $<TARGET_FILE:fftw_mpi_local_sizes> ${FFTW3_MPI_LIBRARY})
weft_fftw_test(test_fftw_mpi_local_sizes RANKS 1 2 3 4 7 COMMAND ${sizes})
weft_fftw_test(test_fftw_mpi_local_sizes_alone RANKS 1 3 4 COMMAND ${sizes} alone
  ENVIRONMENT WEFT_FFTW3_MPI=)

weft_fftw_program(fftw_mpi_looked_up looked_up.c)
weft_fftw_test(test_fftw_mpi_looked_up RANKS 1 2
  COMMAND $<TARGET_FILE:fftw_mpi_looked_up> ${FFTW3_MPI_LIBRARY})

# The same program, linked with FFTW alone. Its own check first: FFTW has to pass it.
weft_fftw_program(fftw_mpi_genuine ${random_sources} GENUINE)
set(program $<TARGET_FILE:fftw_mpi_genuine>)
weft_fftw_test(test_fftw_mpi_genuine RANKS 1 3 COMMAND ${program} fftw)
if(NOT WEFT_SANITIZE)
  weft_fftw_test(test_fftw_mpi_preloaded RANKS 1 3 COMMAND ${preloaded} ${program} weft 100 2
    ENVIRONMENT WEFT_FFTW=strict)
  weft_fftw_test(test_fftw_mpi_preloaded_off RANKS 2 COMMAND ${preloaded} ${program} fftw
    ENVIRONMENT WEFT_FFTW=off)
  # FFTW itself is then found where it was when weft was built.
  set(renamed env LD_LIBRARY_PATH=$<TARGET_FILE_DIR:weft_fftw3_mpi>/fftw3)
  weft_fftw_test(test_fftw_mpi_renamed RANKS 2 COMMAND ${renamed} ${program} weft 100 3
    ENVIRONMENT WEFT_FFTW=strict)
  weft_fftw_program(fftw_mpi_beyond_genuine beyond_weft.c GENUINE)
  weft_fftw_test(test_fftw_mpi_renamed_beyond_weft RANKS 2
    COMMAND ${renamed} $<TARGET_FILE:fftw_mpi_beyond_genuine> present)
endif()
