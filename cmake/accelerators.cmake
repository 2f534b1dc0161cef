# Accelerators: CUDA for GPUs of NVIDIA, HIP for those of AMD. Both compile the same sources.
include(CheckLanguage)

set(WEFT_WITH_CUDA AUTO CACHE STRING "Plans on GPUs of NVIDIA: ON, OFF or AUTO")
set_property(CACHE WEFT_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)
option(WEFT_WITH_HIP "Plans on GPUs of AMD" OFF)

# Languages are enabled here, for the whole project, as programs link with what is compiled in src.
set(WEFT_GPU_LANGUAGE "")
if(WEFT_WITH_HIP)
  if(WEFT_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "a build is for CUDA or for HIP; WEFT_WITH_CUDA and WEFT_WITH_HIP are ON")
  endif()
  enable_language(HIP)
  find_package(hip REQUIRED)
  find_package(hipfft REQUIRED)
  set(WEFT_GPU_LANGUAGE HIP)
elseif(NOT WEFT_WITH_CUDA STREQUAL "OFF")
  check_language(CUDA)
  find_package(CUDAToolkit QUIET)
  if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cudart AND TARGET CUDA::cufft)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      # Real code for A100 and H100/H200, and what drivers compile for later ones.
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
    enable_language(CUDA)
    set(WEFT_GPU_LANGUAGE CUDA)
  elseif(WEFT_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CUDA is asked for (WEFT_WITH_CUDA=ON) but nvcc with the libraries cudart "
      "and cufft was not found; set CUDACXX or CMAKE_CUDA_COMPILER")
  endif()
endif()

# Scripts want to know.
set(WEFT_GPU_BUILT "${WEFT_GPU_LANGUAGE}" CACHE INTERNAL "Language of what is compiled for GPUs")

# weft_add_accelerator(TARGET KERNELS sources... SOURCES sources...): kernels, which are compiled for
# the GPU, and other sources, which use its runtime library. Nothing where no GPU is supported.
function(weft_add_accelerator target)
  cmake_parse_arguments(PARSE_ARGV 1 gpu "" "" "KERNELS;SOURCES")
  if(NOT WEFT_GPU_LANGUAGE)
    return()
  endif()
  # On their own, so that options for the host's compiler do not reach that of the GPU.
  add_library(${target}_kernels OBJECT ${gpu_KERNELS})
  set_source_files_properties(${gpu_KERNELS} PROPERTIES LANGUAGE ${WEFT_GPU_LANGUAGE})
  # CMake before 3.26 does not know that nvcc has C++20.
  target_compile_options(${target}_kernels PRIVATE -std=c++20)
  target_include_directories(${target}_kernels PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_sources(${target} PRIVATE ${gpu_SOURCES} $<TARGET_OBJECTS:${target}_kernels>)
  target_compile_definitions(${target} PRIVATE WEFT_HAVE_GPU)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  if(WEFT_GPU_LANGUAGE STREQUAL "HIP")
    target_compile_definitions(${target} PRIVATE WEFT_HIP)
    target_compile_definitions(${target}_kernels PRIVATE WEFT_HIP)
    target_link_libraries(${target} PRIVATE hip::host hip::hipfft)
  else()
    target_link_libraries(${target} PRIVATE CUDA::cudart CUDA::cufft)
  endif()
endfunction()
