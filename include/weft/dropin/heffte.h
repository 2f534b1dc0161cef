#pragma once

// For programs that are written for heFFTe: this folder stands in for heFFTe's headers, which bring
// these of the standard with them.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <valarray>

#include "weft/heffte.hpp"

// heFFTe brings CUDA's header, too, where it is built with CUDA.
#ifdef Heffte_ENABLE_CUDA
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif
#endif
#if defined(Heffte_ENABLE_CUDA) || defined(Heffte_ENABLE_ROCM)
#define Heffte_ENABLE_GPU  ///< arrays of GPUs are served
#endif

#define Heffte_VERSION_MAJOR 2  ///< the version of heFFTe whose interface this is
#define Heffte_VERSION_MINOR 4  ///< its minor version
#define Heffte_VERSION_PATCH 1  ///< its patch
#define Heffte_ENABLE_FFTW      ///< tags of FFTW are served
#define Heffte_ENABLE_MKL       ///< tags of MKL are served
