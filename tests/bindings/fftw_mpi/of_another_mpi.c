/* An FFTW-MPI that was built with another MPI library: it brings that with it. Its communicators
   are not ours, so nothing in here may be called. */
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION(name)                            \
  void name(void);                                \
  void name(void) {                               \
    printf("%s of another MPI library\n", #name); \
    abort();                                      \
  }

FUNCTION(PMPI_Comm_rank)
FUNCTION(fftw_mpi_init)
FUNCTION(fftw_mpi_cleanup)
FUNCTION(fftw_mpi_local_size_many_transposed)
FUNCTION(fftw_mpi_local_size_many_1d)
FUNCTION(fftw_mpi_plan_many_transpose)
FUNCTION(fftw_mpi_plan_many_dft)
FUNCTION(fftw_mpi_plan_many_dft_r2c)
FUNCTION(fftw_mpi_plan_many_dft_c2r)
FUNCTION(fftw_mpi_plan_many_r2r)
FUNCTION(fftw_mpi_execute_dft)
FUNCTION(fftw_mpi_execute_dft_r2c)
FUNCTION(fftw_mpi_execute_dft_c2r)
FUNCTION(fftw_mpi_execute_r2r)
FUNCTION(fftw_mpi_gather_wisdom)
FUNCTION(fftw_mpi_broadcast_wisdom)
