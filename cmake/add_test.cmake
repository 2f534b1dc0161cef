# Tests run with more ranks than cores: ranks that wait must leave the cores to others, and no rank
# may be bound to a core that others use. What is known of this machine must not change them.
set(test_environment OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
                     OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=passive WEFT_WISDOM=
                     WEFT_KERNEL_CACHE=${PROJECT_BINARY_DIR}/kernels)

# weft_add_test(NAME sources... [MAIN] [PUBLIC] [PURE] [LINKS TARGET] [RANKS 1 2 3 ...] [PARTS 2])
#
# With RANKS an MPI program, one test NAME.R for each number of ranks R, and the labels "mpi" and
# "ranks=R"; without RANKS a serial program and the label "serial". MAIN: the sources bring a main
# function of their own. PUBLIC: they use nothing but what is installed. PURE: nothing but the pure
# folders of src, so they compile without the rest. LINKS: they use nothing but this target, in
# whatever standard of C++. PARTS: so many tests NAME.part-N share the work of
# a serial program.
function(weft_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "MAIN;PUBLIC;PURE" "PARTS;LINKS" "RANKS")
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  if(test_LINKS)
    target_link_libraries(${name} PRIVATE ${test_LINKS} m)
  elseif(test_PUBLIC)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE weft::weft m)
  elseif(test_PURE)
    target_link_libraries(${name} PRIVATE weft_pure weft_pure_test_support)
  else()
    target_link_libraries(${name} PRIVATE weft_test_support)
  endif()
  # All tests are compiled alike.
  if(name STREQUAL test_geometry)
    weft_precompile(${name} gtest/gtest.h ${weft_standard_headers})
  elseif(NOT test_LINKS AND NOT "${test_UNPARSED_ARGUMENTS}" MATCHES "\\.c(;|$)")
    target_precompile_headers(${name} REUSE_FROM test_geometry)
    weft_precompiled_for_cache(${name})
  endif()
  if(NOT test_RANKS)
    add_dependencies(weft_tests ${name})
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
    if(NOT test_PARTS)
      add_test(NAME ${name} COMMAND ${name})
      set_tests_properties(${name} PROPERTIES
        LABELS serial ENVIRONMENT "${test_environment}")
      return()
    endif()
    math(EXPR last "${test_PARTS} - 1")
    foreach(part RANGE ${last})
      add_test(NAME ${name}.part-${part} COMMAND ${name})
      set_tests_properties(${name}.part-${part} PROPERTIES
        LABELS serial
        ENVIRONMENT "${test_environment};GTEST_TOTAL_SHARDS=${test_PARTS};GTEST_SHARD_INDEX=${part}")
    endforeach()
    return()
  endif()
  add_dependencies(weft_mpi_tests ${name})
  if(NOT test_MAIN)
    target_link_libraries(${name} PRIVATE weft_test_mpi_main)
  endif()
  foreach(ranks ${test_RANKS})
    add_test(NAME ${name}.${ranks}
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${WEFT_MPIEXEC_FLAGS}
                     $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks} PROPERTIES
      PROCESSORS ${ranks} LABELS "mpi;ranks=${ranks}"
      ENVIRONMENT "${test_environment}")
  endforeach()
endfunction()
