# One entry for each library: where it is found, and how it is linked. The names of the programs
# are the names of the libraries in studies and reports.

# weft_bench_check_mpi(LIBRARY MISSING-VARIABLE): says so where a shared library was built with
# another MPI than this build. Two of them in one program cannot work.
function(weft_bench_check_mpi library missing)
  if(${missing} OR NOT library MATCHES "\\.so")
    return()
  endif()
  execute_process(COMMAND ldd ${library} OUTPUT_VARIABLE needed ERROR_QUIET)
  string(REGEX MATCH "libmpi(ch)?\\.so" theirs "${needed}")
  set(ours "libmpi.so")
  if(MPI_CXX_LIBRARIES MATCHES "libmpich")
    set(ours "libmpich.so")
  endif()
  if(theirs AND NOT theirs STREQUAL ours)
    set(${missing} "${library} was built with another MPI (${theirs})" PARENT_SCOPE)
  endif()
endfunction()

# weft itself.
weft_bench_program(weft adapters/weft.cpp)
target_compile_definitions(bench_weft PRIVATE WEFT_BENCH_DEVICE="host")
set(weft_cuda_missing "")
if(NOT WEFT_GPU_LANGUAGE STREQUAL "CUDA")
  set(weft_cuda_missing "weft is built without CUDA")
endif()
weft_bench_program(weft-cuda adapters/weft.cpp MISSING "${weft_cuda_missing}")
if(NOT weft_cuda_missing)
  target_compile_definitions(bench_weft-cuda PRIVATE WEFT_BENCH_DEVICE="cuda")
endif()

# FFTW, with MPI and with threads in one process.
find_package(FFTW REQUIRED)
find_path(FFTW_MPI_INCLUDE_DIR fftw3-mpi.h)
set(fftw_mpi_missing "")
foreach(name fftw3_mpi fftw3 fftw3f_mpi fftw3f)
  find_library(FFTW_MPI_${name}_LIBRARY ${name})
  list(APPEND fftw_mpi_libraries ${FFTW_MPI_${name}_LIBRARY})
  if(NOT FFTW_MPI_INCLUDE_DIR OR NOT FFTW_MPI_${name}_LIBRARY)
    set(fftw_mpi_missing "fftw3-mpi.h, libfftw3_mpi and libfftw3f_mpi not found")
  endif()
endforeach()
weft_bench_check_mpi("${FFTW_MPI_fftw3_mpi_LIBRARY}" fftw_mpi_missing)
weft_bench_program(fftw-mpi adapters/fftw_mpi.cpp MISSING "${fftw_mpi_missing}")
if(NOT fftw_mpi_missing)
  target_include_directories(bench_fftw-mpi PRIVATE ${FFTW_MPI_INCLUDE_DIR})
  target_link_libraries(bench_fftw-mpi PRIVATE ${fftw_mpi_libraries} FFTW::FFTW m)
endif()

weft_bench_program(fftw-threads adapters/fftw_threads.cpp)
target_link_libraries(bench_fftw-threads PRIVATE FFTW::FFTW)

# Intel MKL: with threads in one process, and its cluster transform.
set(mkl_hints ${MKL_ROOT} $ENV{MKLROOT} $ENV{VIRTUAL_ENV})
find_path(MKL_BENCH_INCLUDE_DIR mkl_cdft.h HINTS ${mkl_hints} PATH_SUFFIXES include include/mkl)
foreach(name mkl_intel_lp64 mkl_gnu_thread mkl_sequential mkl_core mkl_cdft_core
        mkl_blacs_openmpi_lp64 mkl_blacs_intelmpi_lp64)
  find_library(MKL_BENCH_${name} NAMES lib${name}.a HINTS ${mkl_hints}
               PATH_SUFFIXES lib lib/intel64)
endforeach()
set(mkl_missing "")
if(WEFT_WITH_MKL STREQUAL "OFF")
  set(mkl_missing "MKL is switched off (WEFT_WITH_MKL)")
elseif(NOT MKL_BENCH_INCLUDE_DIR OR NOT MKL_BENCH_mkl_gnu_thread OR NOT MKL_BENCH_mkl_cdft_core)
  set(mkl_missing "mkl_cdft.h and MKL's static libraries not found; set MKL_ROOT")
endif()
weft_bench_program(mkl-threads adapters/mkl_threads.cpp MISSING "${mkl_missing}")
weft_bench_program(mkl-cluster adapters/mkl_cluster.cpp MISSING "${mkl_missing}")
if(NOT mkl_missing)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_include_directories(bench_mkl-threads PRIVATE ${MKL_BENCH_INCLUDE_DIR})
  target_link_libraries(bench_mkl-threads PRIVATE OpenMP::OpenMP_CXX
    -Wl,--start-group ${MKL_BENCH_mkl_intel_lp64} ${MKL_BENCH_mkl_gnu_thread}
    ${MKL_BENCH_mkl_core} -Wl,--end-group pthread m dl)
  # MKL speaks to an MPI through a layer of its own; MPICH has the binary interface of Intel's.
  set(mkl_blacs ${MKL_BENCH_mkl_blacs_intelmpi_lp64})
  if(NOT MPI_CXX_LIBRARIES MATCHES "mpich")
    set(mkl_blacs ${MKL_BENCH_mkl_blacs_openmpi_lp64})
  endif()
  target_include_directories(bench_mkl-cluster PRIVATE ${MKL_BENCH_INCLUDE_DIR})
  target_link_libraries(bench_mkl-cluster PRIVATE
    -Wl,--start-group ${MKL_BENCH_mkl_cdft_core} ${MKL_BENCH_mkl_intel_lp64}
    ${MKL_BENCH_mkl_sequential} ${MKL_BENCH_mkl_core} ${mkl_blacs} -Wl,--end-group MPI::MPI_CXX pthread m dl)
endif()

# heFFTe, with every local library that it was built with.
find_package(Heffte QUIET)
set(heffte_missing "")
if(NOT Heffte_FOUND)
  set(heffte_missing "CMake package Heffte not found")
endif()
weft_bench_program(heffte adapters/heffte.cpp MISSING "${heffte_missing}")
if(NOT heffte_missing)
  target_link_libraries(bench_heffte PRIVATE Heffte::Heffte)
endif()

# P3DFFT++, with FFTW.
find_path(P3DFFT_INCLUDE_DIR p3dfft.h)
find_library(P3DFFT_LIBRARY NAMES p3dfft3 p3dfft.3)
set(p3dfft_missing "")
if(NOT P3DFFT_INCLUDE_DIR OR NOT P3DFFT_LIBRARY)
  set(p3dfft_missing "p3dfft.h and libp3dfft3 not found")
endif()
weft_bench_program(p3dfft adapters/p3dfft.cpp MISSING "${p3dfft_missing}")
if(NOT p3dfft_missing)
  target_compile_definitions(bench_p3dfft PRIVATE HAVE_CONFIG_H)
  target_include_directories(bench_p3dfft SYSTEM PRIVATE ${P3DFFT_INCLUDE_DIR})
  target_link_libraries(bench_p3dfft PRIVATE ${P3DFFT_LIBRARY} FFTW::FFTW)
endif()

# 2DECOMP&FFT, in double precision; builds in single precision and with padded exchanges ("EVEN")
# have the same names and are looked for in prefixes of their own.
find_package(decomp2d CONFIG QUIET)
find_library(DECOMP2D_LIBRARY decomp2d)
find_path(DECOMP2D_INCLUDE_DIR decomp_2d.mod PATH_SUFFIXES decomp2d)
set(DECOMP2D_F32_ROOT "" CACHE PATH "Prefix of 2DECOMP&FFT in single precision")
set(DECOMP2D_PADDED_ROOT "" CACHE PATH "Prefix of 2DECOMP&FFT with padded exchanges")
include(CheckLanguage)
set(decomp2d_missing "")
if(NOT decomp2d_VERSION)
  set(decomp2d_VERSION "unknown")
endif()
if(NOT DECOMP2D_LIBRARY OR NOT DECOMP2D_INCLUDE_DIR)
  set(decomp2d_missing "decomp_2d.mod and libdecomp2d not found")
else()
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
  else()
    set(decomp2d_missing "no Fortran compiler for decomp_2d.mod")
  endif()
endif()
weft_bench_program(2decomp adapters/decomp2d.cpp MISSING "${decomp2d_missing}")
if(NOT decomp2d_missing)
  target_compile_definitions(bench_2decomp PRIVATE DECOMP2D_VERSION="${decomp2d_VERSION}")
  # The driver times MPI's calls of Fortran too, and passes them on to the library of the program:
  # that of a module opened at run time is not seen there.
  find_package(MPI REQUIRED COMPONENTS Fortran)
  target_link_libraries(bench_2decomp PRIVATE -Wl,--no-as-needed ${MPI_Fortran_LIBRARIES})
  foreach(variant F64 F32 PADDED)
    set(path "")
    if(DECOMP2D_${variant}_ROOT)
      find_library(DECOMP2D_${variant}_LIBRARY decomp2d PATHS ${DECOMP2D_${variant}_ROOT}
                   PATH_SUFFIXES lib lib64 NO_DEFAULT_PATH REQUIRED)
      find_path(DECOMP2D_${variant}_INCLUDE_DIR decomp_2d.mod PATHS ${DECOMP2D_${variant}_ROOT}
                PATH_SUFFIXES include NO_DEFAULT_PATH REQUIRED)
    elseif(variant STREQUAL "F64")
      set(DECOMP2D_F64_LIBRARY ${DECOMP2D_LIBRARY})
      set(DECOMP2D_F64_INCLUDE_DIR ${DECOMP2D_INCLUDE_DIR})
    endif()
    if(DECOMP2D_${variant}_LIBRARY AND DECOMP2D_${variant}_INCLUDE_DIR)
      add_library(bench_decomp2d_${variant} MODULE adapters/decomp2d.f90)
      target_include_directories(bench_decomp2d_${variant} PRIVATE
        ${DECOMP2D_${variant}_INCLUDE_DIR})
      target_link_libraries(bench_decomp2d_${variant} PRIVATE ${DECOMP2D_${variant}_LIBRARY})
      add_dependencies(bench_2decomp bench_decomp2d_${variant})
      set(path $<TARGET_FILE:bench_decomp2d_${variant}>)
    endif()
    target_compile_definitions(bench_2decomp PRIVATE DECOMP2D_${variant}="${path}")
  endforeach()
endif()

# NVIDIA cuFFTMp, of the packages nvidia-cufftmp-cu13 and nvidia-nvshmem-cu13 of PyPI or the HPC
# SDK. Its headers have to come before those of the CUDA toolkit.
find_package(CUDAToolkit QUIET)
find_path(CUFFTMP_INCLUDE_DIR cufftMp.h PATH_SUFFIXES include/cufftmp)
find_path(NVSHMEM_INCLUDE_DIR nvshmemx.h)
find_path(CCCL_INCLUDE_DIR cuda/std/tuple HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES cccl)
find_library(CUFFTMP_LIBRARY NAMES cufftMp libcufftMp.so.12 libcufftMp.so.11)
find_library(NVSHMEM_LIBRARY NAMES nvshmem_host libnvshmem_host.so.3)
set(cufftmp_missing "")
if(NOT CUDAToolkit_FOUND OR NOT CUFFTMP_INCLUDE_DIR OR NOT CUFFTMP_LIBRARY
   OR NOT NVSHMEM_INCLUDE_DIR OR NOT NVSHMEM_LIBRARY)
  set(cufftmp_missing "the CUDA toolkit, cufftMp.h, libcufftMp or NVSHMEM not found")
endif()
weft_bench_program(cufftmp adapters/cufftmp.cpp MISSING "${cufftmp_missing}")
if(NOT cufftmp_missing)
  target_include_directories(bench_cufftmp BEFORE PRIVATE
    ${CUFFTMP_INCLUDE_DIR} ${NVSHMEM_INCLUDE_DIR} ${CCCL_INCLUDE_DIR})
  target_link_libraries(bench_cufftmp PRIVATE
    ${CUFFTMP_LIBRARY} ${NVSHMEM_LIBRARY} CUDA::cublas CUDA::cudart)
endif()

# NVIDIA cuDecomp, with cuFFT.
find_path(CUDECOMP_INCLUDE_DIR cudecomp.h)
find_library(CUDECOMP_LIBRARY cudecomp)
set(cudecomp_missing "")
if(NOT CUDAToolkit_FOUND OR NOT CUDECOMP_INCLUDE_DIR OR NOT CUDECOMP_LIBRARY)
  set(cudecomp_missing "the CUDA toolkit, cudecomp.h or libcudecomp not found")
endif()
weft_bench_program(cudecomp adapters/cudecomp.cpp MISSING "${cudecomp_missing}")
if(NOT cudecomp_missing)
  target_include_directories(bench_cudecomp SYSTEM PRIVATE ${CUDECOMP_INCLUDE_DIR})
  target_link_libraries(bench_cudecomp PRIVATE
    ${CUDECOMP_LIBRARY} CUDA::cublas CUDA::cufft CUDA::cudart)
endif()

# fftMPI, in double precision; the build in single precision has the same names and is looked for
# in a prefix of its own.
find_path(FFTMPI_INCLUDE_DIR fft3d_wrap.h)
find_library(FFTMPI_LIBRARY ${CMAKE_SHARED_LIBRARY_PREFIX}fft3dmpi${CMAKE_SHARED_LIBRARY_SUFFIX})
set(FFTMPI_F32_ROOT "" CACHE PATH "Prefix of fftMPI in single precision")
set(fftmpi_missing "")
if(NOT FFTMPI_INCLUDE_DIR OR NOT FFTMPI_LIBRARY)
  set(fftmpi_missing "fft3d_wrap.h and a shared libfft3dmpi not found")
endif()
weft_bench_program(fftmpi adapters/fftmpi.cpp MISSING "${fftmpi_missing}")
if(NOT fftmpi_missing)
  set(fftmpi_f32 "")
  if(FFTMPI_F32_ROOT)
    find_library(FFTMPI_F32_LIBRARY fft3dmpi
                 PATHS ${FFTMPI_F32_ROOT} PATH_SUFFIXES lib lib64 NO_DEFAULT_PATH REQUIRED)
    set(fftmpi_f32 ${FFTMPI_F32_LIBRARY})
  endif()
  target_compile_definitions(bench_fftmpi PRIVATE
    FFTMPI_F64="${FFTMPI_LIBRARY}" FFTMPI_F32="${fftmpi_f32}")
  target_include_directories(bench_fftmpi PRIVATE ${FFTMPI_INCLUDE_DIR})
endif()

# dtFFT. Its own CMake package asks for a Fortran compiler, which its C++ interface does not need.
find_path(DTFFT_INCLUDE_DIR dtfft.hpp)
find_library(DTFFT_LIBRARY dtfft)
set(dtfft_missing "")
if(NOT DTFFT_INCLUDE_DIR OR NOT DTFFT_LIBRARY)
  set(dtfft_missing "dtfft.hpp and libdtfft not found")
endif()
weft_bench_program(dtfft adapters/dtfft.cpp MISSING "${dtfft_missing}")
if(NOT dtfft_missing)
  target_include_directories(bench_dtfft SYSTEM PRIVATE ${DTFFT_INCLUDE_DIR})
  target_link_libraries(bench_dtfft PRIVATE ${DTFFT_LIBRARY})
endif()

# AccFFT on the host, with FFTW.
find_path(ACCFFT_INCLUDE_DIR accfft.h)
find_library(ACCFFT_LIBRARY accfft)
find_package(OpenMP QUIET COMPONENTS CXX)
set(accfft_missing "")
if(NOT ACCFFT_INCLUDE_DIR OR NOT ACCFFT_LIBRARY)
  set(accfft_missing "accfft.h and libaccfft not found")
elseif(NOT OpenMP_CXX_FOUND)
  set(accfft_missing "OpenMP not found")
endif()
weft_bench_program(accfft adapters/accfft.cpp MISSING "${accfft_missing}")
if(NOT accfft_missing)
  target_include_directories(bench_accfft SYSTEM PRIVATE ${ACCFFT_INCLUDE_DIR})
  target_link_libraries(bench_accfft PRIVATE
    ${ACCFFT_LIBRARY} FFTW::FFTW OpenMP::OpenMP_CXX)
endif()

# SpFFT.
find_package(SpFFT CONFIG QUIET)
set(spfft_missing "")
if(NOT SpFFT_FOUND)
  set(spfft_missing "CMake package SpFFT not found")
endif()
weft_bench_program(spfft adapters/spfft.cpp MISSING "${spfft_missing}")
if(NOT spfft_missing)
  target_compile_definitions(bench_spfft PRIVATE SPFFT_VERSION="${SpFFT_VERSION}")
  target_link_libraries(bench_spfft PRIVATE SpFFT::spfft)
endif()

# SWFFT, built for hosts only with all its ways to exchange; its headers need to be told so.
find_path(SWFFT_INCLUDE_DIR swfft.hpp)
find_library(SWFFT_LIBRARY swfft)
set(swfft_missing "")
if(NOT SWFFT_INCLUDE_DIR OR NOT SWFFT_LIBRARY)
  set(swfft_missing "swfft.hpp and libswfft not found")
endif()
weft_bench_program(swfft adapters/swfft.cpp MISSING "${swfft_missing}")
if(NOT swfft_missing)
  target_compile_definitions(bench_swfft PRIVATE SWFFT_CUDA SWFFT_NOCUDAMPI SWFFT_ALLTOALL
    SWFFT_PAIRWISE SWFFT_HQFFT SWFFT_FFTW SWFFT_PLATFORM=unknown)
  target_include_directories(bench_swfft SYSTEM PRIVATE ${SWFFT_INCLUDE_DIR})
  target_link_libraries(bench_swfft PRIVATE ${SWFFT_LIBRARY} FFTW::FFTW)
endif()

include(adapters/python_libraries.cmake)
