# Tests of the interface of Fortran: with random problems from C++, and on their own.
if(MPI_Fortran_HAVE_F08_MODULE)
  set(f08_definition $<$<COMPILE_LANGUAGE:Fortran>:WEFT_WITH_MPI_F08>)
endif()

# Each test has modules of its own; they are all linked by the C++ compiler, as weft is.
function(weft_fortran_test name)
  target_link_libraries(${name} PRIVATE weft::fortran)
  target_compile_definitions(${name} PRIVATE ${f08_definition})
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE CXX Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.modules)
endfunction()

weft_add_test(test_random_in_fortran
  bindings/fortran/test_random.cpp bindings/fortran/random_runner.F90 bindings/c/structs.cpp
  RANKS 1 2 3 4 5 6 7)
weft_fortran_test(test_random_in_fortran)

# On their own: programs in Fortran that say what they expect.
function(weft_fortran_program name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "RANKS")
  weft_add_test(${name} bindings/fortran/expect.f90 ${test_UNPARSED_ARGUMENTS} MAIN PUBLIC
    RANKS ${test_RANKS})
  weft_fortran_test(${name})
endfunction()

weft_fortran_program(test_fortran_plan bindings/fortran/plan_in_fortran.F90 RANKS 1 2 3)
weft_fortran_program(test_fortran_spectral bindings/fortran/spectral_in_fortran.f90 RANKS 1 2 3)
weft_fortran_program(test_fortran_halo bindings/fortran/halo_in_fortran.F90 RANKS 1 2 3)
weft_fortran_program(test_fortran_trace bindings/fortran/trace_in_fortran.f90 RANKS 1 2 3)
weft_fortran_program(test_fortran_bad_input bindings/fortran/bad_input_in_fortran.f90 RANKS 3)
weft_fortran_program(test_fortran_after_finalize bindings/fortran/after_finalize.f90 RANKS 1 3)

add_executable(fortran_without_stat bindings/fortran/without_stat.f90)
weft_fortran_test(fortran_without_stat)
add_dependencies(weft_mpi_tests fortran_without_stat)
add_test(NAME test_fortran_without_stat
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/aborts
                 "weft: input layout slab: axis 3 is not one of the 2 axes of the array"
                 ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${WEFT_MPIEXEC_FLAGS}
                 $<TARGET_FILE:fortran_without_stat>)
set_tests_properties(test_fortran_without_stat PROPERTIES
  TIMEOUT 60 PROCESSORS 3 LABELS "mpi;ranks=3" ENVIRONMENT "${test_environment}")
