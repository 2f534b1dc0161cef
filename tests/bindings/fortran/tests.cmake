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
weft_fortran_program(test_fortran_files bindings/fortran/files_in_fortran.F90 RANKS 1 2 3)
weft_fortran_program(test_fortran_bad_input bindings/fortran/bad_input_in_fortran.f90 RANKS 3)
weft_fortran_program(test_fortran_after_finalize bindings/fortran/after_finalize.f90 RANKS 1 3)

# weft_fortran_aborts(NAME TEXT): a program that must end with this text
function(weft_fortran_aborts name text)
  add_executable(fortran_${name} bindings/fortran/${name}.f90)
  weft_fortran_test(fortran_${name})
  add_dependencies(weft_mpi_tests fortran_${name})
  add_test(NAME test_fortran_${name}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/bindings/fortran/aborts ${text}
                   ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${WEFT_MPIEXEC_FLAGS}
                   $<TARGET_FILE:fortran_${name}>)
  set_tests_properties(test_fortran_${name} PROPERTIES
    TIMEOUT 60 PROCESSORS 3 LABELS "mpi;ranks=3" ENVIRONMENT "${test_environment}")
endfunction()

weft_fortran_aborts(without_stat
  "weft: input layout slab: axis 3 is not one of the 2 axes of the array")
weft_fortran_aborts(assigns "weft: objects cannot be assigned")

# What is written from the headers of C, against these.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/fortran_interfaces)
set(script ${CMAKE_CURRENT_LIST_DIR}/write_interface_checks.py)
file(MAKE_DIRECTORY ${folder})
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/weft/c/*.h)
add_custom_command(
  OUTPUT ${folder}/interfaces.c ${folder}/interfaces.f90
  COMMAND ${Python3_EXECUTABLE} ${script} ${folder} ${headers}
  DEPENDS ${script} ${headers} VERBATIM)
add_executable(test_fortran_interfaces ${folder}/interfaces.c ${folder}/interfaces.f90)
target_link_libraries(test_fortran_interfaces PRIVATE weft::weft)
weft_fortran_test(test_fortran_interfaces)
add_dependencies(weft_tests test_fortran_interfaces)
add_test(NAME test_fortran_interfaces COMMAND test_fortran_interfaces)
set_tests_properties(test_fortran_interfaces PROPERTIES
  LABELS serial ENVIRONMENT "${test_environment}")
