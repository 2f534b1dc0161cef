/* The rows for C of docs/guide/from-fftw.md and of docs/guide/from-pencils.md, and the last lines
   of from-heffte.md. */
#include <math.h>
#include <stdlib.h>

#include "bindings/c/expect.h"

static const MPI_Comm comm = MPI_COMM_WORLD;
static int ranks;

static double* random_numbers(int64_t count) {
  double* numbers = malloc((size_t)(count + 1) * sizeof *numbers);
  for (int64_t i = 0; i < count; ++i) numbers[i] = sin(3.0 * (double)i * (double)i + 1);
  return numbers;
}

/* Makes the plan, transforms and returns what comes back, over what was there: that is 1 if the
   plan scales, otherwise the number of points. The array may have padding at the end of its rows.
 */
static double factor_of(const weft_problem* given, const char* options) {
  weft_problem problem = *given;
  weft_plan plan;
  weft_local_array array, spectrum;
  if (options != NULL) {
    succeed(weft_plan_create(comm, &problem, options, &plan), options);
  } else {
    succeed(weft_plan_create(comm, &problem, NULL, &plan), "a plan");
  }
  succeed(weft_plan_input(plan, &array), "the input");
  succeed(weft_plan_output(plan, &spectrum), "the output");
  const int64_t reals = array.allocation_size * (array.is_complex ? 2 : 1);
  double* const u = random_numbers(reals);
  double* const again = malloc((size_t)(reals + 1) * sizeof *again);
  double* const uh = malloc((size_t)(2 * spectrum.allocation_size + 1) * sizeof *uh);
  const double first = u[0];
  succeed(weft_plan_forward(plan, u, uh), "forward");
  succeed(weft_plan_backward(plan, uh, again), "backward");
  double factor = reals > 0 ? again[0] / first : 0;
  MPI_Allreduce(MPI_IN_PLACE, &factor, 1, MPI_DOUBLE, MPI_MAX, comm);
  free(u);
  free(uh);
  free(again);
  succeed(weft_plan_destroy(&plan), "the end of a plan");
  return factor;
}

static void expect_factor(double expected, const weft_problem* problem, const char* options,
                          const char* what) {
  expect(fabs(factor_of(problem, options) / expected - 1) < 1e-10, what);
}

static void rows_of_fftw(void) {
  const int64_t n[3] = {12, 18, 7}, points = 12 * 18 * 7, howmany = 3;
  weft_problem problem;
  weft_plan plan;
  weft_problem_init(&problem, 3, n);
  expect_factor(1, &problem, NULL, "complex");
  problem.norm = WEFT_NORM_NONE;
  expect_factor((double)points, &problem, NULL, "no scaling");
  expect_factor((double)points, &problem, "rigor=measure, overwrite_input=yes, threads=4",
                "options");
  problem.batch = howmany;
  problem.interleaved = 1;
  expect_factor((double)points, &problem, NULL, "a batch");
  problem.batch = 1;
  problem.interleaved = 0;
  problem.kinds[2] = WEFT_KIND_R2C;
  weft_layout layout = weft_slab_split(0);
  layout.split = WEFT_SPLIT_BLOCK;
  layout.r2c_padding = 1;
  weft_layout transposed = weft_slab_split(1);
  const int order[3] = {1, 0, 2};
  memcpy(transposed.order, order, sizeof order);
  problem.input = &layout;
  problem.output = &transposed;
  expect_factor((double)points, &problem, NULL, "real, padded, transposed");
  weft_local_array array;
  succeed(weft_plan_create(comm, &problem, NULL, &plan), "a plan");
  succeed(weft_plan_input(plan, &array), "the input");
  expect(array.strides[1] == 2 * (7 / 2 + 1), "padding");
  expect(array.box.upper[1] == n[1] && array.allocation_size == 12 / ranks * 18 * 8, "the slab");
  succeed(weft_plan_destroy(&plan), "the end");

  weft_problem_init(&problem, 3, n);
  problem.precision = WEFT_PRECISION_F32;
  succeed(weft_plan_create(comm, &problem, NULL, &plan), "single precision");
  succeed(weft_plan_input(plan, &array), "the input");
  expect(array.precision == WEFT_PRECISION_F32, "float");
  succeed(weft_plan_destroy(&plan), "the end");

  const int kinds[] = {WEFT_KIND_DCT1, WEFT_KIND_DCT2, WEFT_KIND_DCT3, WEFT_KIND_DCT4};
  for (int i = 0; i < 4; ++i) {
    weft_problem_init(&problem, 3, n);
    for (int axis = 0; axis < 3; ++axis) problem.kinds[axis] = kinds[i];
    problem.norm = WEFT_NORM_NONE;
    expect_factor(i == 0 ? 22.0 * 34 * 12 : 8.0 * (double)points, &problem, NULL, "cosines");
  }

  weft_long_transform transform;
  weft_long_problem long_problem;
  weft_long_problem_init(&long_problem, 1000);
  succeed(weft_long_transform_create(comm, &long_problem, NULL, &transform), "a long transform");
  succeed(weft_long_transform_destroy(&transform), "its end");
  expect(weft_import_fftw_wisdom("/no/such/file", WEFT_PRECISION_F64) != WEFT_SUCCESS, "no wisdom");
}

static void rows_of_p3dfft(void) {
  const int64_t nx = 12, ny = 10, nz = 9, n[3] = {nx, ny, nz};
  char text[64];
  weft_layout x = weft_brick(), z = weft_brick(), grid = weft_brick();
  /* as "grid:1x2x4,order=210", "grid:2x1x4,order=210" and "grid:2x4x1,order=210" */
  snprintf(text, sizeof text, "grid:1x1x%d,order=210", ranks);
  succeed(weft_parse_layout(text, &x), text);
  snprintf(text, sizeof text, "grid:1x%dx1,order=210", ranks);
  succeed(weft_parse_layout(text, &z), text);
  succeed(weft_parse_layout("grid:2x1x4,order=210", &grid), "Y pencils");
  expect(grid.parts[0] == 2 && grid.parts[2] == 4 && grid.order[0] == 2, "Y pencils");

  const int third[] = {WEFT_KIND_C2C, WEFT_KIND_DCT1, WEFT_KIND_NONE};
  for (int i = 0; i < 3; ++i) {
    weft_problem problem;
    weft_problem_init(&problem, 3, n);
    problem.kinds[0] = WEFT_KIND_R2C;
    problem.kinds[2] = third[i];
    problem.input = &x;
    problem.output = &z;
    problem.norm = WEFT_NORM_NONE;
    const double along_z = i == 0 ? 9 : i == 1 ? 2 * 8 : 1;
    expect_factor(along_z * (double)(nx * ny), &problem, "overwrite_input=yes", "P3DFFT's kinds");
  }
  weft_problem problem;
  weft_plan plan;
  weft_local_array array;
  weft_problem_init(&problem, 3, n);
  problem.kinds[0] = WEFT_KIND_R2C;
  problem.input = &x;
  weft_layout stride1 = z;
  const int order[3] = {0, 1, 2};
  memcpy(stride1.order, order, sizeof order);
  problem.output = &stride1;
  const int64_t nxc = 8, nyc = 7, nzc = 5, modes[3] = {nxc, nyc, nzc};
  memcpy(problem.modes, modes, sizeof modes);
  succeed(weft_plan_create(comm, &problem, NULL, &plan), "fewer modes");
  succeed(weft_plan_input(plan, &array), "the input");
  expect(array.strides[0] == 1 && array.box.upper[0] == nx, "X pencils");
  succeed(weft_plan_output(plan, &array), "the output");
  expect(array.strides[2] == 1 && array.box.upper[0] == nxc / 2 + 1, "Z pencils of modes");
  double* const u = random_numbers(nx * ny * nz);
  double* const uh = random_numbers(2 * nx * ny * nz);
  succeed(weft_plan_forward(plan, u, uh), "forward");
  succeed(weft_plan_backward(plan, uh, u), "backward");
  free(u);
  free(uh);
  succeed(weft_plan_destroy(&plan), "the end");
}

static void rows_of_heffte(void) {
  const int64_t n[3] = {4, 5, 6};
  int rank;
  MPI_Comm_rank(comm, &rank);
  weft_layout layout = weft_layout_of(WEFT_FORM_OWN_BOX, 0);
  for (int axis = 0; axis < 3; ++axis) layout.own.upper[axis] = n[axis];
  layout.own.lower[0] = 4 * rank / ranks;
  layout.own.upper[0] = 4 * (rank + 1) / ranks;
  weft_problem problem;
  weft_problem_init(&problem, 3, n);
  problem.input = &layout;
  expect_factor(1, &problem, NULL, "own boxes");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(comm, &ranks);
  rows_of_fftw();
  rows_of_p3dfft();
  rows_of_heffte();
  MPI_Finalize();
  return EXIT_SUCCESS;
}
