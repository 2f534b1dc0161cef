/* Plans that weft does not have: FFTW-MPI makes them where it is there, as the argument says. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, failures;

static void expect(int good, const char* what) {
  if (good) return;
  ++failures;
  printf("rank %d: %s\n", rank, what);
}

/* Whether there are plans there and back, which scale by the number of points. */
static int one_axis(ptrdiff_t n) {
  ptrdiff_t ni, i_start, no, o_start, other_ni, other_i_start, other_no, other_o_start;
  const ptrdiff_t size = fftw_mpi_local_size_1d(n, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE, &ni,
                                                &i_start, &no, &o_start);
  const ptrdiff_t other_size =
      fftw_mpi_local_size_1d(n, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE, &other_ni,
                             &other_i_start, &other_no, &other_o_start);
  fftw_complex* const data = fftw_alloc_complex((size_t)(size > other_size ? size : other_size));
  fftw_complex* const more = fftw_alloc_complex((size_t)(size > other_size ? size : other_size));
  const fftw_plan forward =
      fftw_mpi_plan_dft_1d(n, data, more, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  const fftw_plan backward =
      fftw_mpi_plan_dft_1d(n, more, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
  const int there = forward != NULL && backward != NULL;
  if (there) {
    for (ptrdiff_t i = 0; i < ni; ++i) data[i] = (double)(i_start + i) + I;
    fftw_execute(forward);
    fftw_mpi_execute_dft(backward, more, data);
    for (ptrdiff_t i = 0; i < ni; ++i) {
      expect(cabs(data[i] / (double)n - ((double)(i_start + i) + I)) < 1e-11, "one axis");
    }
  }
  fftw_destroy_plan(forward);
  fftw_destroy_plan(backward);
  fftw_free(data);
  fftw_free(more);
  return there;
}

/* R2HC and HC2R, then seven axes. */
static int others(void) {
  ptrdiff_t rows, start;
  const ptrdiff_t n[] = {4, 3, 2, 1, 2, 1, 2};
  const ptrdiff_t size = fftw_mpi_local_size(7, n, MPI_COMM_WORLD, &rows, &start);
  fftw_complex* const data = fftw_alloc_complex((size_t)size);
  const fftw_plan many =
      fftw_mpi_plan_dft(7, n, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  double* const reals =
      fftw_alloc_real((size_t)fftw_mpi_local_size_2d(8, 6, MPI_COMM_WORLD, &rows, &start));
  const fftw_plan halves =
      fftw_mpi_plan_r2r_2d(8, 6, reals, reals, MPI_COMM_WORLD, FFTW_R2HC, FFTW_R2HC, FFTW_ESTIMATE);
  const fftw_plan back =
      fftw_mpi_plan_r2r_2d(8, 6, reals, reals, MPI_COMM_WORLD, FFTW_HC2R, FFTW_HC2R, FFTW_ESTIMATE);
  if (halves != NULL && back != NULL) {
    for (ptrdiff_t i = 0; i < 6 * rows; ++i) reals[i] = (double)(6 * start + i);
    fftw_execute(halves);
    fftw_mpi_execute_r2r(back, reals, reals);
    for (ptrdiff_t i = 0; i < 6 * rows; ++i) {
      const double error = reals[i] / 48 - (double)(6 * start + i);
      expect(error < 1e-12 && error > -1e-12, "R2HC and HC2R");
    }
  }
  const int there = (many != NULL) + (halves != NULL) + (back != NULL);
  expect(there == 0 || there == 3, "either all plans are there or none");
  fftw_destroy_plan(many);
  fftw_destroy_plan(halves);
  fftw_destroy_plan(back);
  fftw_free(data);
  fftw_free(reals);
  return there == 3;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int present = argc > 1 && strcmp(argv[1], "present") == 0;
  expect(one_axis(36) == present, "plans of one axis");
  expect(one_axis(13) == present, "plans of a prime number of points");
  expect(others() == present, "other plans");
  fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
  fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
  fftw_mpi_cleanup();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
