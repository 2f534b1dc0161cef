/* Wavenumbers and operators of calculus from C99: every function of weft/c/calculus.h. */
#include <complex.h>
#include <math.h>

#include "bindings/c/expect.h"

enum { fields = 3 };
static const int64_t shape[] = {12, 10, 8};
static const double lengths[] = {2, 3, 5};

/* The wavenumber of a mode along an axis of the box. */
static double angular(int mode, int axis) {
  return 2 * acos(-1.0) * mode / lengths[axis];
}

/* Where point `number` of this rank's array, in C order, is along an axis. */
static double position(const weft_local_array* a, int64_t number, int axis) {
  for (int other = 2; other > axis; --other) {
    number /= a->box.upper[other] - a->box.lower[other];
  }
  const int64_t index = a->box.lower[axis] + number % (a->box.upper[axis] - a->box.lower[axis]);
  return lengths[axis] * (double)index / (double)shape[axis];
}

/* sin(k x) of one component: along the next axis, so that there is a curl and no divergence; or, if
   `along`, along its own axis. */
static double wave(const weft_local_array* a, int64_t i, int component, int along) {
  const int axis = along ? component : (component + 1) % 3;
  return sin(angular(component + 1, axis) * position(a, i, axis));
}
static double slope(const weft_local_array* a, int64_t i, int component, int along) {
  const int axis = along ? component : (component + 1) % 3;
  const double k = angular(component + 1, axis);
  return k * cos(k * position(a, i, axis));
}

static double low(double k, void* data) {
  return k < *(const double*)data ? 1 : 0;
}

static int twice(const weft_line* line, void* data) {
  double complex* value = line->values;
  (void)data;
  for (int64_t i = 0; i < line->count; ++i) value[i * line->stride] *= 2;
  return 0;
}

static double* field_of(const weft_local_array* a) {
  return calloc((size_t)a->allocation_size + 1, sizeof(double));
}

static void test_operators(weft_plan plan, const weft_local_array* a) {
  weft_calculus calculus;
  double *u[fields], *v[fields];
  const void* in[fields];
  void* out[fields];
  succeed(weft_calculus_create(plan, lengths, &calculus), "create");
  for (int c = 0; c < fields; ++c) {
    in[c] = u[c] = field_of(a);
    out[c] = v[c] = field_of(a);
  }

  /* The sum of waves along the axes: each entry of its gradient is the slope of one of them. */
  for (int64_t i = 0; i < a->allocation_size; ++i) {
    for (int c = 0; c < fields; ++c) u[0][i] += wave(a, i, c, 1);
  }
  succeed(weft_calculus_gradient(calculus, u[0], out), "gradient");
  for (int64_t i = 0; i < a->allocation_size; ++i) {
    for (int c = 0; c < fields; ++c) {
      expect(fabs(v[c][i] - slope(a, i, c, 1)) < 1e-11, "gradient");
    }
  }
  succeed(weft_calculus_divergence(calculus, (const void* const*)v, v[0]), "divergence");
  succeed(weft_calculus_laplacian(calculus, u[0], v[1]), "laplacian");
  succeed(weft_calculus_inverse_laplacian(calculus, v[1], v[2]), "inverse laplacian");
  for (int64_t i = 0; i < a->allocation_size; ++i) {
    double laplacian = 0;
    for (int c = 0; c < fields; ++c) laplacian -= pow(angular(c + 1, c), 2) * wave(a, i, c, 1);
    expect(fabs(v[0][i] - laplacian) < 1e-10, "divergence of the gradient");
    expect(fabs(v[1][i] - laplacian) < 1e-10, "laplacian");
    expect(fabs(v[2][i] - u[0][i]) < 1e-11, "inverse laplacian");
  }

  /* Wavenumbers are 3.1, 4.2 and 3.8. */
  double between = 3.5;
  succeed(weft_calculus_filter(calculus, u[0], v[0], low, &between), "filter");
  succeed(weft_calculus_apply(calculus, u[0], v[1], twice, NULL), "apply");
  for (int64_t i = 0; i < a->allocation_size; ++i) {
    expect(fabs(v[0][i] - wave(a, i, 0, 1)) < 1e-12, "filter");
    expect(fabs(v[1][i] - 2 * u[0][i]) < 1e-12, "function of the coefficients");
  }

  /* Component c depends on coordinate c + 1 alone: entry c + 2 of the curl is minus its slope. */
  for (int c = 0; c < fields; ++c) {
    for (int64_t i = 0; i < a->allocation_size; ++i) u[c][i] = wave(a, i, c, 0);
  }
  succeed(weft_calculus_curl(calculus, in, out), "curl");
  for (int c = 0; c < fields; ++c) {
    for (int64_t i = 0; i < a->allocation_size; ++i) {
      expect(fabs(v[(c + 2) % 3][i] + slope(a, i, c, 0)) < 1e-11, "curl");
    }
  }
  for (int c = 0; c < fields; ++c) {
    free(u[c]);
    free(v[c]);
  }
  succeed(weft_calculus_destroy(&calculus), "destroy");
}

/* Functions of waves in transforms of the caller's. */
static void test_waves(weft_plan plan, const weft_local_array* a) {
  weft_wavenumbers waves = NULL;
  weft_local_array spectrum;
  weft_functions on_output = {NULL, NULL, NULL, NULL}, on_input = {NULL, NULL, NULL, NULL};
  int64_t count = 0;
  const double *first, *any;
  double far = 1e3, near = 0;
  succeed(weft_wavenumbers_create(plan, lengths, &waves), "create");
  succeed(weft_plan_output(plan, &spectrum), "output");
  succeed(weft_wavenumbers_numbers(waves, 2, &count, &first, &any), "numbers");
  expect(count == 5 && first[1] == any[1] && fabs(any[1] - angular(1, 2)) < 1e-15, "numbers");
  expect(first[4] == 0 && fabs(any[4] - angular(4, 2)) < 1e-14, "the highest mode");
  fails(weft_wavenumbers_numbers(waves, 3, &count, &first, &any), "axis 3 of 3");
  fails(weft_wavenumbers_numbers(waves, 0, NULL, &first, &any), "null");

  double* u = field_of(a);
  double* v = field_of(a);
  double complex* uh = calloc((size_t)spectrum.allocation_size + 1, sizeof *uh);
  for (int64_t i = 0; i < a->allocation_size; ++i) u[i] = wave(a, i, 1, 1);
  succeed(weft_wavenumbers_laplacian(waves, &on_output.output, &on_output.output_data),
          "laplacian");
  succeed(weft_wavenumbers_derivative(waves, 1, &on_input.input, &on_input.input_data),
          "derivative");
  succeed(weft_plan_forward_with(plan, u, uh, &on_output), "forward");
  succeed(weft_plan_backward_with(plan, uh, v, &on_input), "backward");
  const double k = angular(2, 1);
  for (int64_t i = 0; i < a->allocation_size; ++i) {
    expect(fabs(v[i] + k * k * slope(a, i, 1, 1)) < 1e-10, "derivative of the laplacian");
  }
  succeed(weft_wavenumbers_filter(waves, low, &far, &on_input.input, &on_input.input_data),
          "filter");
  succeed(weft_wavenumbers_inverse_laplacian(waves, &on_output.output, &on_output.output_data),
          "inverse laplacian");
  succeed(weft_plan_forward_with(plan, u, uh, &on_output), "forward");
  succeed(weft_plan_backward_with(plan, uh, v, &on_input), "backward");
  for (int64_t i = 0; i < a->allocation_size; ++i) {
    expect(fabs(v[i] + u[i] / (k * k)) < 1e-13, "inverse laplacian");
  }
  succeed(weft_wavenumbers_filter(waves, low, &near, &on_input.input, &on_input.input_data),
          "filter");
  succeed(weft_plan_backward_with(plan, uh, v, &on_input), "backward");
  for (int64_t i = 0; i < a->allocation_size; ++i) expect(v[i] == 0, "nothing is low");
  fails(weft_wavenumbers_filter(waves, NULL, &near, &on_input.input, &on_input.input_data), "null");
  fails(weft_wavenumbers_laplacian(waves, NULL, &on_input.input_data), "null");
  fails(weft_wavenumbers_derivative(waves, 3, &on_input.input, &on_input.input_data),
        "axis 3 of 3");
  free(u);
  free(v);
  free(uh);
  succeed(weft_wavenumbers_destroy(&waves), "destroy");
  expect(waves == NULL, "handle is null");
  expect(weft_wavenumbers_laplacian(NULL, &on_input.input, &on_input.input_data) ==
             WEFT_ERROR_NULL_HANDLE,
         "null handle");
  fails(weft_wavenumbers_create(plan, NULL, &waves), "null");
  expect(weft_wavenumbers_create(NULL, lengths, &waves) == WEFT_ERROR_NULL_HANDLE, "null handle");
}

/* The local part of all wavenumbers. */
static void test_local_wavenumbers(weft_plan plan) {
  weft_wavenumbers waves = NULL;
  weft_local_array spectrum;
  int64_t count = 0;
  const double *first, *any;
  succeed(weft_wavenumbers_create(plan, lengths, &waves), "create");
  succeed(weft_plan_output(plan, &spectrum), "output");
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t lower = spectrum.box.lower[axis];
    const int64_t mine = spectrum.box.upper[axis] - lower;
    double* k = calloc((size_t)mine + 1, sizeof *k);
    k[mine] = 7;
    succeed(weft_wavenumbers_numbers(waves, axis, &count, &first, &any), "numbers");
    succeed(weft_wavenumbers_local_k(waves, axis, k), "local k");
    for (int64_t i = 0; i < mine; ++i) expect(k[i] == any[lower + i], "local k");
    succeed(weft_wavenumbers_local_derivative_k(waves, axis, k), "local derivative k");
    for (int64_t i = 0; i < mine; ++i) expect(k[i] == first[lower + i], "local derivative k");
    expect(k[mine] == 7, "nothing is written past the end");
    if (mine > 0) fails(weft_wavenumbers_local_k(waves, axis, NULL), "null");
    fails(weft_wavenumbers_local_k(waves, 3, k), "axis 3 of 3");
    free(k);
  }
  expect(weft_wavenumbers_local_k(NULL, 0, NULL) == WEFT_ERROR_NULL_HANDLE, "null handle");
  succeed(weft_wavenumbers_destroy(&waves), "destroy");
}

/* Energies of two waves of amplitudes 1 and 2, with |k| = 2 pi and 4 pi in a box of length 1. */
static void test_shell_spectrum(void) {
  const double cube[] = {1, 1, 1}, pi = acos(-1.0);
  weft_plan plan;
  weft_local_array a, b;
  weft_shell_spectrum spectrum;
  succeed(weft_plan_create_3d(MPI_COMM_WORLD, 7, 8, 10, WEFT_KIND_R2C, WEFT_PRECISION_F32,
                              "threads=1", &plan),
          "create");
  succeed(weft_plan_input(plan, &a), "input");
  succeed(weft_plan_output(plan, &b), "output");
  expect(a.precision == WEFT_PRECISION_F32 && !a.is_complex && b.is_complex, "r2c of floats");
  float* u = calloc((size_t)a.allocation_size + 1, sizeof *u);
  float* v = calloc((size_t)a.allocation_size + 1, sizeof *v);
  float complex* uh = calloc((size_t)b.allocation_size + 1, sizeof *uh);
  float complex* vh = calloc((size_t)b.allocation_size + 1, sizeof *vh);
  for (int64_t i = a.box.lower[0]; i < a.box.upper[0]; ++i)
    for (int64_t j = a.box.lower[1]; j < a.box.upper[1]; ++j)
      for (int64_t k = a.box.lower[2]; k < a.box.upper[2]; ++k) {
        u[weft_position(&a, i, j, k)] = (float)sin(2 * pi * (double)i / 7);
        v[weft_position(&a, i, j, k)] = (float)(2 * cos(4 * pi * (double)k / 10));
      }
  succeed(weft_plan_forward(plan, u, uh), "forward");
  succeed(weft_plan_forward(plan, v, vh), "forward");
  const void* both[] = {uh, vh};
  succeed(weft_plan_shell_spectrum(plan, 2, both, cube, 0, &spectrum), "spectrum");
  expect(fabs(spectrum.width - 2 * pi) < 1e-14 && spectrum.count == 8, "shells up to (3, 4, 5)");
  for (size_t s = 0; s < spectrum.count; ++s) {
    const double exact = s == 1 ? 0.25 : s == 2 ? 1 : 0;
    expect(fabs(spectrum.energy[s] - exact) < 1e-6, "energy");
  }
  succeed(weft_plan_shell_spectrum(plan, 1, both, cube, 4 * pi, &spectrum), "wide shells");
  expect(fabs(spectrum.energy[1] - 0.25) < 1e-6, "k = 2 pi is in shell 1 of width 4 pi");
  fails(weft_plan_shell_spectrum(plan, 0, both, cube, 0, &spectrum), "no field");
  fails(weft_plan_shell_spectrum(plan, 1, NULL, cube, 0, &spectrum), "null");
  fails(weft_plan_shell_spectrum(plan, 1, both, NULL, 0, &spectrum), "lengths is null");
  fails(weft_plan_shell_spectrum(plan, 1, both, cube, -1, &spectrum), "width -1");
  fails(weft_plan_shell_spectrum(plan, 1, both, cube, 0, NULL), "null");
  expect(weft_plan_shell_spectrum(NULL, 1, both, cube, 0, &spectrum) == WEFT_ERROR_NULL_HANDLE,
         "null handle");
  succeed(weft_plan_destroy(&plan), "destroy");
  fails(weft_plan_create_3d(MPI_COMM_WORLD, 7, 8, 10, 77, WEFT_PRECISION_F64, NULL, &plan), "kind");
  free(u);
  free(v);
  free(uh);
  free(vh);
}

/* Numbers that are real in both spaces, in single precision: no derivatives, but laplacians. */
static void test_cosines(void) {
  weft_problem problem;
  weft_plan plan;
  weft_calculus calculus;
  weft_local_array a;
  weft_problem_init(&problem, 3, shape);
  succeed(weft_parse_kinds("dct2,none,dct1", 3, problem.kinds), "kinds");
  problem.precision = WEFT_PRECISION_F32;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan), "create");
  succeed(weft_plan_input(plan, &a), "input");
  succeed(weft_calculus_create(plan, lengths, &calculus), "create");
  float* u = calloc((size_t)a.allocation_size + 1, sizeof *u);
  const double k = 3 * acos(-1.0) / lengths[2];
  for (int64_t i = 0; i < a.allocation_size; ++i)
    u[i] = (float)cos(3 * acos(-1.0) * (double)(i % 8) / 7);
  succeed(weft_calculus_laplacian(calculus, u, u), "laplacian");
  for (int64_t i = 0; i < a.allocation_size; ++i) {
    expect(fabs(u[i] + k * k * cos(3 * acos(-1.0) * (double)(i % 8) / 7)) < 1e-4, "laplacian");
  }
  void* out[] = {u, u, u};
  fails(weft_calculus_gradient(calculus, u, out), "axis 0 of kind dct2");
  succeed(weft_calculus_destroy(&calculus), "destroy");
  succeed(weft_plan_destroy(&plan), "destroy");
  free(u);
}

int main(int argc, char** argv) {
  weft_problem problem;
  weft_plan plan;
  weft_local_array a;
  const weft_layout out = weft_slab_split(1);
  MPI_Init(&argc, &argv);
  weft_problem_init(&problem, 3, shape);
  problem.kinds[2] = WEFT_KIND_R2C;
  problem.norm = WEFT_NORM_ORTHO; /* numbers are scaled before a function sees them */
  problem.output = &out;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan), "create");
  succeed(weft_plan_input(plan, &a), "input");
  test_operators(plan, &a);
  test_waves(plan, &a);
  test_local_wavenumbers(plan);
  succeed(weft_plan_destroy(&plan), "destroy");
  test_cosines();
  test_shell_spectrum();
  MPI_Finalize();
  return 0;
}
