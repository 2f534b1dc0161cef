// The names that programs call: each function for two precisions, and for C and Fortran.
#include <cstring>
#include <vector>

#include "genuine.hpp"
#include "live_plans.hpp"
#include "planner_threads.hpp"
#include "planning.hpp"

namespace {

using namespace weft::fftw_mpi;
using weft::Precision;

template <class Number>
std::vector<Number> list(int count, const Number* values) {
  return count > 0 ? std::vector<Number>(values, values + count) : std::vector<Number>();
}

Size local_size_many(Precision precision, int axes, const Size* n, Size howmany, Size block0,
                     MPI_Comm comm, Size* local_n0, Size* local_0_start) {
  Size ignored[2];
  return local_size_many_transposed(precision, axes, n, howmany, block0, 0, comm, local_n0,
                                    local_0_start, &ignored[0], &ignored[1]);
}

}  // namespace

#define CALLER __builtin_return_address(0)

extern "C" {

#define PRECISION Precision::f64
#define FFTW(name) fftw_##name
#include "names_of_precision.inc"
#undef PRECISION
#undef FFTW

#define PRECISION Precision::f32
#define FFTW(name) fftwf_##name
#include "names_of_precision.inc"
#undef PRECISION
#undef FFTW
#undef CALLER

}  // extern "C"
