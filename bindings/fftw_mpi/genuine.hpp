#pragma once

#include "abi.hpp"
#include "request.hpp"

/// FFTW itself, found at run time. Its functions must not be called by their names: those are ours.
namespace weft::fftw_mpi {

/// Functions of libfftw3_mpi, or of libfftw3f_mpi.
struct GenuineMpi {
  void (*init)();
  void (*cleanup)();
  Size (*local_size_many_transposed)(int, const Size*, Size, Size, Size, MPI_Comm, Size*, Size*,
                                     Size*, Size*);
  Size (*local_size_many_1d)(Size, Size, MPI_Comm, int, unsigned, Size*, Size*, Size*, Size*);
  ClientPlan (*plan_many_transpose)(Size, Size, Size, Size, Size, void*, void*, MPI_Comm, unsigned);
  ClientPlan (*plan_many_dft)(int, const Size*, Size, Size, Size, void*, void*, MPI_Comm, int,
                              unsigned);
  ClientPlan (*plan_many_dft_r2c)(int, const Size*, Size, Size, Size, void*, void*, MPI_Comm,
                                  unsigned);
  ClientPlan (*plan_many_dft_c2r)(int, const Size*, Size, Size, Size, void*, void*, MPI_Comm,
                                  unsigned);
  ClientPlan (*plan_many_r2r)(int, const Size*, Size, Size, Size, void*, void*, MPI_Comm,
                              const int*, unsigned);
  void (*execute_dft)(ClientPlan, void*, void*);
  void (*execute_dft_r2c)(ClientPlan, void*, void*);
  void (*execute_dft_c2r)(ClientPlan, void*, void*);
  void (*execute_r2r)(ClientPlan, void*, void*);
  void (*gather_wisdom)(MPI_Comm);
  void (*broadcast_wisdom)(MPI_Comm);
};

/// Those of libfftw3, or of libfftw3f, that are given plans of either library.
struct GenuineSerial {
  void (*execute)(ClientPlan);
  void (*execute_dft)(ClientPlan, void*, void*);
  void (*execute_dft_r2c)(ClientPlan, void*, void*);
  void (*execute_dft_c2r)(ClientPlan, void*, void*);
  void (*execute_r2r)(ClientPlan, void*, void*);
  void (*destroy_plan)(ClientPlan);
  double (*cost)(ClientPlan);
  double (*estimate_cost)(ClientPlan);
  void (*flops)(ClientPlan, double*, double*, double*);
  void (*print_plan)(ClientPlan);
  void (*fprint_plan)(ClientPlan, std::FILE*);
  char* (*sprint_plan)(ClientPlan);
  void (*cleanup)();
};

/// Those of libfftw3_threads or libfftw3_omp, or for single precision.
struct GenuineThreads {
  int (*init_threads)();
  void (*plan_with_nthreads)(int);
  void (*cleanup_threads)();
};

/// Null where the library is not there. Looked for once: in the file that WEFT_FFTW3_MPI, or
/// WEFT_FFTW3F_MPI, names, or, without that variable, behind this library among those that the
/// program is linked with, and then where the dynamic linker finds it.
const GenuineMpi* genuine_mpi(Precision precision);
/// Whether an address is in that library.
bool is_genuine(Precision precision, const void* address);
/// Whoever calls these functions has the library; otherwise the program ends here.
const GenuineSerial& genuine_serial(Precision precision);
const GenuineThreads& genuine_threads(Precision precision);

/// Null where the library cannot make the plan either.
ClientPlan make_plan(const GenuineMpi& library, const Request& request);

}  // namespace weft::fftw_mpi
