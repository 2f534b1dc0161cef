# mpi4py-fft and JAX, in an interpreter inside the program.
set(WEFT_BENCH_PYTHON "" CACHE FILEPATH "Python of a virtual environment with mpi4py-fft or JAX")
set(python_missing "")
if(NOT WEFT_BENCH_PYTHON)
  set(python_missing "WEFT_BENCH_PYTHON is not set")
else()
  set(Python_EXECUTABLE ${WEFT_BENCH_PYTHON})
  find_package(Python COMPONENTS Interpreter Development.Embed QUIET)
  if(NOT Python_Development.Embed_FOUND)
    set(python_missing "Python.h and libpython of ${WEFT_BENCH_PYTHON} not found")
  endif()
endif()

# weft_bench_package(RESULT package): its version in the virtual environment, empty without it.
function(weft_bench_package result package)
  set(version "")
  if(WEFT_BENCH_PYTHON)
    execute_process(
      COMMAND ${WEFT_BENCH_PYTHON} -c
        "from importlib.metadata import version; print(version('${package}'), end='')"
      OUTPUT_VARIABLE version ERROR_QUIET)
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

weft_bench_package(mpi4py_fft_version mpi4py-fft)
set(mpi4py_fft_missing "${python_missing}")
if(NOT python_missing AND NOT mpi4py_fft_version)
  set(mpi4py_fft_missing "${WEFT_BENCH_PYTHON} has no mpi4py-fft")
endif()
weft_bench_program(mpi4py-fft adapters/mpi4py_fft.cpp MISSING "${mpi4py_fft_missing}")
if(NOT mpi4py_fft_missing)
  target_compile_definitions(bench_mpi4py-fft PRIVATE
    MPI4PY_FFT_PYTHON="${WEFT_BENCH_PYTHON}" MPI4PY_FFT_VERSION="${mpi4py_fft_version}"
    MPI4PY_FFT_SCRIPT="${CMAKE_CURRENT_SOURCE_DIR}/adapters/mpi4py_fft.py")
  target_link_libraries(bench_mpi4py-fft PRIVATE Python::Python)
endif()

# JAX, with jaxDecomp where it is installed, on GPUs where JAX has its plugin for CUDA.
weft_bench_package(jax_version jax)
set(jax_missing "${python_missing}")
if(NOT python_missing AND NOT jax_version)
  set(jax_missing "${WEFT_BENCH_PYTHON} has no jax")
endif()
weft_bench_program(jax adapters/jax.cpp MISSING "${jax_missing}")
if(NOT jax_missing)
  weft_bench_package(jaxdecomp_version jaxdecomp)
  set(jax_platform cpu)
  foreach(cuda 12 13)
    weft_bench_package(jax_cuda_version jax-cuda${cuda}-plugin)
    if(jax_cuda_version)
      set(jax_platform cuda)
    endif()
  endforeach()
  target_compile_definitions(bench_jax PRIVATE
    JAX_PYTHON="${WEFT_BENCH_PYTHON}" JAX_VERSION="${jax_version}" JAX_PLATFORM="${jax_platform}"
    JAXDECOMP_VERSION="${jaxdecomp_version}"
    JAX_SCRIPT="${CMAKE_CURRENT_SOURCE_DIR}/adapters/jax_fft.py")
  target_link_libraries(bench_jax PRIVATE Python::Python)
endif()
