/* A program that takes functions of FFTW-MPI from the file of the genuine library, which the
   argument names, as Python's ctypes does. That library's functions call each other by names that
   weft has too. Their plans have to be FFTW's: such a program runs them by functions from FFTW's
   file. */
#include <dlfcn.h>
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef fftw_plan plan_3d(ptrdiff_t, ptrdiff_t, ptrdiff_t, fftw_complex*, fftw_complex*, MPI_Comm,
                          int, unsigned);
typedef fftw_plan plan_r2r_2d(ptrdiff_t, ptrdiff_t, double*, double*, MPI_Comm, fftw_r2r_kind,
                              fftw_r2r_kind, unsigned);

static int is_of_weft(fftw_plan plan) {
  char* const text = fftw_sprint_plan(plan);
  const int result = strncmp(text, "(weft: ", 7) == 0;
  free(text);
  return result;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  void* const library = dlopen(argc > 1 ? argv[1] : "", RTLD_LAZY | RTLD_LOCAL);
  plan_3d* const genuine_3d = library ? (plan_3d*)dlsym(library, "fftw_mpi_plan_dft_3d") : NULL;
  plan_r2r_2d* const genuine_2d =
      library ? (plan_r2r_2d*)dlsym(library, "fftw_mpi_plan_r2r_2d") : NULL;
  if (genuine_3d == NULL || genuine_2d == NULL || genuine_3d == &fftw_mpi_plan_dft_3d) {
    printf("FFTW-MPI is not in the file that the argument names\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  ptrdiff_t rows, start;
  const ptrdiff_t size = fftw_mpi_local_size_3d(8, 6, 4, MPI_COMM_WORLD, &rows, &start);
  fftw_complex* const data = fftw_alloc_complex((size_t)size);
  double* const reals = (double*)data;
  fftw_plan plans[3] = {
      genuine_3d(8, 6, 4, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE),
      genuine_2d(8, 6, reals, reals, MPI_COMM_WORLD, FFTW_REDFT10, FFTW_RODFT11, FFTW_ESTIMATE),
      fftw_mpi_plan_dft_3d(8, 6, 4, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE)};
  int good = !is_of_weft(plans[0]) && !is_of_weft(plans[1]) && is_of_weft(plans[2]);
  for (int i = 0; i < 3; ++i) {
    fftw_execute(plans[i]);
    fftw_destroy_plan(plans[i]);
  }
  fftw_free(data);
  MPI_Finalize();
  if (!good) printf("plans are made by the wrong library\n");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
