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
#define NAME(name) fftw_##name
#define MPI_NAME(name) fftw_mpi_##name
#include "names_of_plans.inc"
#undef NAME
#define NAME(name) fftw_mpi_##name
#define COMM MPI_Comm
#define OF(comm) comm
#include "names_with_communicator.inc"
#undef NAME
#undef COMM
#undef OF
#define NAME(name) fftw_mpi_##name##_f03
#define COMM MPI_Fint
#define OF(comm) MPI_Comm_f2c(comm)
#include "names_with_communicator.inc"
#undef NAME
#undef MPI_NAME
#undef COMM
#undef OF
#undef PRECISION

#define PRECISION Precision::f32
#define NAME(name) fftwf_##name
#define MPI_NAME(name) fftwf_mpi_##name
#include "names_of_plans.inc"
#undef NAME
#define NAME(name) fftwf_mpi_##name
#define COMM MPI_Comm
#define OF(comm) comm
#include "names_with_communicator.inc"
#undef NAME
#undef COMM
#undef OF
#define NAME(name) fftwf_mpi_##name##_f03
#define COMM MPI_Fint
#define OF(comm) MPI_Comm_f2c(comm)
#include "names_with_communicator.inc"
#undef NAME
#undef MPI_NAME
#undef COMM
#undef OF
#undef PRECISION
#undef CALLER

}  // extern "C"
