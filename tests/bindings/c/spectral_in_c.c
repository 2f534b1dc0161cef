/* Halos, convolutions and long transforms from C99. */
#include <complex.h>
#include <math.h>

#include "bindings/c/expect.h"

static void test_halo(void) {
  const int64_t shape[] = {7, 6};
  weft_halo_problem problem;
  weft_layout layout = weft_slab_split(0);
  weft_local_array array;
  weft_halo halo;
  int64_t lower[2], upper[2], bytes = -1;
  int peers = -1, done = 0;
  layout.halo_lower[0] = layout.halo_upper[0] = 1;
  weft_halo_problem_init(&problem, 2, shape);
  problem.layout = &layout;
  problem.periodic[0] = 1;
  succeed(weft_halo_create(MPI_COMM_WORLD, &problem, &halo), "create");
  succeed(weft_halo_array(halo, &array), "array");
  succeed(weft_halo_widths(halo, lower, upper), "widths");
  expect(lower[0] == 1 && lower[1] == 0 && upper[0] == 1, "widths by default");
  succeed(weft_halo_peers(halo, &peers), "peers");
  succeed(weft_halo_bytes_sent(halo, &bytes), "bytes");
  expect(peers >= 0 && peers <= 2 && bytes == peers * bytes / (peers > 0 ? peers : 1), "traffic");
  double* u = malloc(((size_t)array.allocation_size + 1) * sizeof *u);
  const int64_t rows = array.allocation_size / 6;
  for (int64_t i = 0; i < array.allocation_size; ++i) {
    u[i] = (double)((array.box.lower[0] + i / 6 - 1 + 7) % 7);
  }
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int64_t j = 0; j < (array.allocation_size > 0 ? 6 : 0); ++j)
      u[j] = u[(rows - 1) * 6 + j] = -1;
    if (repeat == 0) {
      succeed(weft_halo_exchange(halo, u), "exchange");
    } else {
      done = 0;
      succeed(weft_halo_start_exchange(halo, u), "start");
      while (!done) succeed(weft_halo_test(halo, &done), "test");
    }
    for (int64_t i = 0; i < array.allocation_size; ++i) {
      expect(u[i] == (double)((array.box.lower[0] + i / 6 - 1 + 7) % 7), "exchanged");
    }
  }
  for (int64_t i = 0; i < array.allocation_size; ++i) u[i] = 1;
  succeed(weft_halo_accumulate(halo, u), "accumulate");
  succeed(weft_halo_start_accumulate(halo, u), "start");
  succeed(weft_halo_wait(halo), "wait");
  double sum = 0, halos = array.allocation_size > 0 ? 12 : 0;
  for (int64_t i = 6; i + 6 < array.allocation_size; ++i) sum += u[i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &halos, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(sum == 42 + 2 * halos, "accumulated twice");
  succeed(weft_halo_destroy(&halo), "destroy");
  expect(halo == NULL, "handle is null");
  problem.precision = 9;
  fails(weft_halo_create(MPI_COMM_WORLD, &problem, &halo), "precision 9 is unknown");
  fails(weft_halo_create(MPI_COMM_WORLD, NULL, &halo), "null");
  expect(weft_halo_exchange(NULL, u) == WEFT_ERROR_NULL_HANDLE, "null handle");
  free(u);
}

static void test_convolution(void) {
  const int64_t shape[] = {30};
  weft_convolution_problem problem;
  weft_convolution convolution;
  weft_local_array a, b, c;
  weft_convolution_problem_init(&problem, 1, shape);
  problem.second[0] = 3;
  problem.periodic = 0;
  problem.precision = WEFT_PRECISION_F32;
  problem.is_complex = 1;
  succeed(weft_convolution_create(MPI_COMM_WORLD, &problem, "threads=1", &convolution), "create");
  succeed(weft_convolution_first(convolution, &a), "first");
  succeed(weft_convolution_second(convolution, &b), "second");
  succeed(weft_convolution_result(convolution, &c), "result");
  expect(a.is_complex && a.precision == WEFT_PRECISION_F32, "type");
  float complex* x = malloc(((size_t)a.allocation_size + 1) * sizeof *x);
  float complex* y = malloc(((size_t)b.allocation_size + 1) * sizeof *y);
  float complex* z = malloc(((size_t)c.allocation_size + 1) * sizeof *z);
  for (int64_t i = 0; i < a.allocation_size; ++i) x[i] = I;
  for (int64_t i = 0; i < b.allocation_size; ++i) y[i] = 1;
  for (int correlate = 0; correlate < 2; ++correlate) {
    succeed(correlate ? weft_convolution_correlate(convolution, x, y, z)
                      : weft_convolution_convolve(convolution, x, y, z),
            "run");
    for (int64_t i = 0; i < c.allocation_size; ++i) {
      const int64_t k = c.box.lower[0] + i;
      const int64_t terms = k < 2 ? k + 1 : k > 29 ? 32 - k : 3;
      expect(cabsf(z[i] - (correlate ? -I : I) * (float)terms) < 1e-4f, "running sum");
    }
  }
  succeed(weft_convolution_destroy(&convolution), "destroy");
  problem.second[0] = -4;
  fails(weft_convolution_create(MPI_COMM_WORLD, &problem, NULL, &convolution), "positive");
  expect(weft_convolution_convolve(NULL, x, y, z) == WEFT_ERROR_NULL_HANDLE, "null handle");
  expect(weft_good_length(31) == 32, "good length");
  free(x);
  free(y);
  free(z);
}

static void test_long_transform(void) {
  weft_long_problem problem;
  weft_long_transform line;
  int64_t begin, size, coefficients, frequency;
  weft_long_problem_init(&problem, 5040);
  problem.order = WEFT_LONG_ORDER_TRANSPOSED;
  succeed(weft_long_transform_create(MPI_COMM_WORLD, &problem, "exchange=p2p", &line), "create");
  succeed(weft_long_transform_begin(line, &begin), "begin");
  succeed(weft_long_transform_size(line, &size), "size");
  succeed(weft_long_transform_spectrum_size(line, &coefficients), "spectrum size");
  double complex* u = malloc(((size_t)size + 1) * sizeof *u);
  double complex* back = malloc(((size_t)size + 1) * sizeof *back);
  double complex* uh = malloc(((size_t)coefficients + 1) * sizeof *uh);
  const double pi = acos(-1.0);
  for (int64_t i = 0; i < size; ++i) {
    u[i] = cexp(2 * pi * I * (double)((3 * (begin + i)) % 5040) / 5040);
  }
  succeed(weft_long_transform_forward(line, u, uh), "forward");
  for (int64_t i = 0; i < coefficients; ++i) {
    succeed(weft_long_transform_frequency(line, i, &frequency), "frequency");
    expect(cabs(uh[i] - (frequency == 3 ? 5040 : 0)) < 1e-9, "coefficient");
  }
  succeed(weft_long_transform_backward(line, uh, back), "backward");
  for (int64_t i = 0; i < size; ++i) expect(cabs(back[i] - u[i]) < 1e-13, "round trip");
  succeed(weft_long_transform_destroy(&line), "destroy");
  problem.order = 3;
  fails(weft_long_transform_create(MPI_COMM_WORLD, &problem, NULL, &line), "order 3 is unknown");
  expect(weft_long_transform_forward(NULL, u, uh) == WEFT_ERROR_NULL_HANDLE, "null handle");
  free(u);
  free(back);
  free(uh);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  test_halo();
  test_convolution();
  test_long_transform();
  MPI_Finalize();
  return 0;
}
