# Accelerators: CUDA for GPUs of NVIDIA, HIP for those of AMD. Both compile the same sources. HIP also has
# a platform for GPUs of NVIDIA, where sources of HIP can run without a GPU of AMD.
include(CheckCXXSourceCompiles)
include(CheckLanguage)

set(WEFT_WITH_CUDA AUTO CACHE STRING "Plans on GPUs of NVIDIA: ON, OFF or AUTO")
set_property(CACHE WEFT_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)
option(WEFT_WITH_HIP "Plans on GPUs of AMD" OFF)
set(WEFT_HIP_PLATFORM amd CACHE STRING "Whose GPUs HIP compiles for: amd or nvidia")
set_property(CACHE WEFT_HIP_PLATFORM PROPERTY STRINGS amd nvidia)
set(WEFT_WITH_VENDOR_FFT AUTO CACHE STRING "Transforms on GPUs by cuFFT or hipFFT: ON, OFF or AUTO")
set_property(CACHE WEFT_WITH_VENDOR_FFT PROPERTY STRINGS AUTO ON OFF)

# Languages are enabled here, for the whole project, as programs link with what is compiled in src.
macro(weft_enable language)
  # Where this compiler is clang, CMake would precompile headers for g++ too as clang wants them.
  set(prologue "${CMAKE_PCH_PROLOGUE}")
  set(extension "${CMAKE_PCH_EXTENSION}")
  enable_language(${language})
  set(CMAKE_PCH_PROLOGUE "${prologue}")
  set(CMAKE_PCH_EXTENSION "${extension}")
endmacro()

macro(weft_enable_cuda)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    # Real code for A100 and H100/H200, and what drivers compile for later ones.
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  weft_enable(CUDA)
  # Compiler caches do not look into files with options.
  set(CMAKE_CUDA_USE_RESPONSE_FILE_FOR_INCLUDES OFF)
endmacro()

# weft_find_hip_headers([REQUIRED]): for compilers that are not HIP's own.
macro(weft_find_hip_headers)
  find_path(WEFT_HIP_INCLUDE_DIR hip/hip_runtime.h HINTS ENV ROCM_PATH PATHS /opt/rocm
            PATH_SUFFIXES include ${ARGN})
endmacro()

# What sources call, what compiles them, and the vendor's FFT library.
set(WEFT_GPU_LANGUAGE "")
set(WEFT_KERNEL_LANGUAGE "")
set(WEFT_VENDOR_FFT "")
set(WEFT_HIP_ON_NVIDIA FALSE)
if(WEFT_WITH_HIP)
  if(WEFT_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "a build is for CUDA or for HIP; WEFT_WITH_CUDA and WEFT_WITH_HIP are ON")
  endif()
  set(WEFT_GPU_LANGUAGE HIP)
  if(WEFT_HIP_PLATFORM STREQUAL "nvidia")
    # HIP is headers that call CUDA then, so a compiler of CUDA compiles it.
    set(WEFT_HIP_ON_NVIDIA TRUE)
    find_package(CUDAToolkit REQUIRED)
    weft_find_hip_headers(REQUIRED)
    weft_enable_cuda()
    set(WEFT_KERNEL_LANGUAGE CUDA)
  elseif(WEFT_HIP_PLATFORM STREQUAL "amd")
    weft_enable(HIP)
    find_package(hip REQUIRED)
    set(WEFT_KERNEL_LANGUAGE HIP)
  else()
    message(FATAL_ERROR "WEFT_HIP_PLATFORM is '${WEFT_HIP_PLATFORM}'; known: amd, nvidia")
  endif()
  if(NOT WEFT_WITH_VENDOR_FFT STREQUAL "OFF")
    find_package(hipfft QUIET)
    if(hipfft_FOUND)
      set(WEFT_VENDOR_FFT hip::hipfft)
    elseif(WEFT_WITH_VENDOR_FFT STREQUAL "ON")
      message(FATAL_ERROR "hipFFT is asked for (WEFT_WITH_VENDOR_FFT=ON) but was not found")
    else()
      message(STATUS "hipFFT was not found: plans on GPUs do without it")
    endif()
  endif()
elseif(NOT WEFT_WITH_CUDA STREQUAL "OFF")
  check_language(CUDA)
  find_package(CUDAToolkit QUIET)
  if(TARGET CUDA::cufft AND NOT WEFT_WITH_VENDOR_FFT STREQUAL "OFF")
    set(WEFT_VENDOR_FFT CUDA::cufft)
  endif()
  if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cudart
     AND (WEFT_VENDOR_FFT OR WEFT_WITH_VENDOR_FFT STREQUAL "OFF"))
    weft_enable_cuda()
    set(WEFT_GPU_LANGUAGE CUDA)
    set(WEFT_KERNEL_LANGUAGE CUDA)
  elseif(WEFT_WITH_CUDA STREQUAL "ON" OR WEFT_WITH_VENDOR_FFT STREQUAL "ON")
    message(FATAL_ERROR "CUDA is asked for (WEFT_WITH_CUDA=ON, or WEFT_WITH_VENDOR_FFT=ON) but nvcc with "
      "the libraries cudart and cufft was not found; set CUDACXX or CMAKE_CUDA_COMPILER")
  endif()
endif()

# Scripts want to know.
set(WEFT_GPU_BUILT "${WEFT_GPU_LANGUAGE}" CACHE INTERNAL "Language of what is compiled for GPUs")

# weft_oldest_cuda_architecture(VARIABLE): sets it to the number of the oldest one of
# CMAKE_CUDA_ARCHITECTURES; empty where that names none.
function(weft_oldest_cuda_architecture variable)
  set(oldest "")
  foreach(architecture ${CMAKE_CUDA_ARCHITECTURES})
    if(architecture MATCHES "^[0-9]+" AND (NOT oldest OR CMAKE_MATCH_0 LESS oldest))
      set(oldest ${CMAKE_MATCH_0})
    endif()
  endforeach()
  set(${variable} "${oldest}" PARENT_SCOPE)
endfunction()

# weft_compile_once(TARGET): has nvcc compile its sources to intermediate code of the oldest of several
# architectures, and that to code for each. Most of the time goes into the first step, and kernels for
# lines come out the same for an H100, instruction for instruction. Architectures such as 90a, whose
# code is their own, and lists such as "all" stay as they are.
function(weft_compile_once target)
  list(LENGTH CMAKE_CUDA_ARCHITECTURES count)
  if(count LESS 2 OR NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    return()
  endif()
  set(codes "")
  set(last "")
  weft_oldest_cuda_architecture(oldest)
  foreach(architecture ${CMAKE_CUDA_ARCHITECTURES})
    if(NOT architecture MATCHES "^([0-9]+)(-real)?$")
      return()
    endif()
    list(APPEND codes sm_${CMAKE_MATCH_1})
    if(NOT CMAKE_MATCH_2)
      set(last compute_${oldest}) # which drivers compile for later ones
    endif()
  endforeach()
  list(JOIN codes "," codes)
  if(last)
    string(APPEND codes ",${last}")
  endif()
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES OFF)
  target_compile_options(${target} PRIVATE
    "--generate-code=arch=compute_${oldest},code=[${codes}]")
endfunction()

# weft_add_code_text(TARGET header): adds the text of a header of src/, with all it includes, to be
# compiled at run time. The variable is named as the header.
function(weft_add_code_text target header)
  set(sources ${PROJECT_SOURCE_DIR}/src)
  set(folders ${PROJECT_SOURCE_DIR}/include ${sources})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/weft/*.hpp
       ${sources}/*.hpp)
  get_filename_component(name ${header} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}_text.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/code_text.cmake)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${sources}/${header} -D "FOLDERS=${folders}"
            -D NAME=${name} -D OUT=${out} -P ${script}
    DEPENDS ${script} ${headers} VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()

# weft_add_accelerator(TARGET [KERNELS sources...] [SMALL sources...] [SOURCES sources...]
#                      [TEXTS headers...] [PORTABLE sources...] [LINKS targets...]):
# kernels, which are compiled for the GPU, and other sources, which use its runtime library; nothing
# of both where no GPU is supported. Small ones are kernels that are compiled as one file, since
# headers of CUDA alone take seconds. Texts are headers that are compiled for the GPU at run time.
# Portable ones are kernels where a GPU is supported, and otherwise
# compiled as C++. Links: what kernels include headers of.
function(weft_add_accelerator target)
  cmake_parse_arguments(PARSE_ARGV 1 gpu "" "" "KERNELS;SMALL;SOURCES;TEXTS;PORTABLE;LINKS")
  if(NOT WEFT_GPU_LANGUAGE)
    # Compilers for GPUs see each on its own, and so may names in them clash.
    set_source_files_properties(${gpu_PORTABLE} PROPERTIES
      LANGUAGE CXX SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${gpu_PORTABLE})
    return()
  endif()
  set(kernels ${gpu_KERNELS} ${gpu_PORTABLE})
  if(gpu_SMALL)
    list(TRANSFORM gpu_SMALL PREPEND "#include \"")
    list(TRANSFORM gpu_SMALL APPEND "\"")
    list(JOIN gpu_SMALL "\n" includes)
    set(together ${CMAKE_CURRENT_BINARY_DIR}/${target}_small_kernels.cu)
    file(CONFIGURE OUTPUT ${together} CONTENT "${includes}\n" @ONLY)
    list(APPEND kernels ${together})
  endif()
  if(WEFT_HIP_ON_NVIDIA)
    # The headers hide parts of HIP from other compilers.
    list(APPEND kernels ${gpu_SOURCES})
    set(gpu_SOURCES "")
  endif()
  # On their own, so that options for the host's compiler do not reach that of the GPU.
  add_library(${target}_kernels OBJECT ${kernels})
  set_source_files_properties(${kernels} PROPERTIES LANGUAGE ${WEFT_KERNEL_LANGUAGE})
  target_link_libraries(${target}_kernels PRIVATE ${gpu_LINKS})
  # CMake before 3.26 does not know that nvcc has C++20. Kernels must compute as the host does, and
  # call functions of the standard library that are constexpr.
  if(CMAKE_${WEFT_KERNEL_LANGUAGE}_COMPILER_ID STREQUAL "NVIDIA")
    target_compile_options(${target}_kernels PRIVATE
      -std=c++20 -fmad=false --expt-relaxed-constexpr)
    weft_compile_once(${target}_kernels)
  else()
    set_target_properties(${target}_kernels PROPERTIES CUDA_STANDARD 20 HIP_STANDARD 20)
    target_compile_options(${target}_kernels PRIVATE -ffp-contract=off)
  endif()
  target_include_directories(${target}_kernels PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  target_sources(${target} PRIVATE ${gpu_SOURCES} $<TARGET_OBJECTS:${target}_kernels>)
  foreach(header IN LISTS gpu_TEXTS)
    weft_add_code_text(${target} ${header})
  endforeach()
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  target_compile_definitions(${target} PRIVATE WEFT_HAVE_GPU)
  target_compile_definitions(${target}_kernels PRIVATE WEFT_HAVE_GPU)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  if(WEFT_GPU_LANGUAGE STREQUAL "HIP")
    target_compile_definitions(${target} PRIVATE WEFT_HIP)
    target_compile_definitions(${target}_kernels PRIVATE WEFT_HIP)
  endif()
  if(WEFT_HIP_ON_NVIDIA)
    # What hipcc defines there.
    target_compile_definitions(${target}_kernels PRIVATE __HIP_PLATFORM_NVIDIA__=1 __HIPCC__=)
    target_include_directories(${target}_kernels SYSTEM PRIVATE ${WEFT_HIP_INCLUDE_DIR})
  endif()
  if(WEFT_KERNEL_LANGUAGE STREQUAL "HIP")
    target_link_libraries(${target} PRIVATE hip::host)
  else()
    target_link_libraries(${target} PRIVATE CUDA::cudart)
  endif()
endfunction()

# weft_add_store_functions(TARGET NAME source): makes a header with an array, NAME, that holds
# functions which cuFFT links into its kernels at run time, and defines WEFT_STORE_CALLBACKS. Nothing
# where cuFFT cannot do that, as before its version 11.3, and with compilers other than nvcc.
#
# cuFFT loads the libraries nvJitLink and nvrtc for that by itself; weft works without them, but it
# scales results in passes of their own.
function(weft_add_store_functions target name source)
  if(NOT WEFT_GPU_LANGUAGE STREQUAL "CUDA" OR NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    return()
  endif()
  find_program(WEFT_BIN2C bin2c HINTS ${CUDAToolkit_BIN_DIR})
  set(CMAKE_REQUIRED_LIBRARIES CUDA::cufft CUDA::cudart)
  check_cxx_source_compiles("
    #include <cufftXt.h>
    int main() { return cufftXtSetJITCallback(0, \"name\", nullptr, 0, CUFFT_CB_ST_REAL, nullptr); }"
    WEFT_HAVE_CUFFT_JIT_CALLBACKS)
  if(NOT WEFT_BIN2C OR NOT WEFT_HAVE_CUFFT_JIT_CALLBACKS)
    return()
  endif()
  # What is made for the oldest architecture links with kernels for all later ones.
  weft_oldest_cuda_architecture(oldest)
  set(flags -dlto)
  if(oldest)
    set(flags -gencode arch=compute_${oldest},code=lto_${oldest})
  endif()
  if(CMAKE_CUDA_HOST_COMPILER)
    list(APPEND flags -ccbin ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  get_filename_component(stem ${source} NAME_WE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/store_functions)
  set(header ${folder}/${stem}.h)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_CUDA_COMPILER} -std=c++17 ${flags} -dc -fatbin
            ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${folder}/${stem}.fatbin
    COMMAND ${WEFT_BIN2C} --const --static --type longlong --name ${name} ${folder}/${stem}.fatbin
            > ${header}
    DEPENDS ${source} VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${folder})
  target_compile_definitions(${target} PRIVATE WEFT_STORE_CALLBACKS)
endfunction()
