/* What programs of FFTW-MPI do beside making and running plans. Every plan is to be weft's. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <complex.h>
#include <fftw3-mpi.h>

static int rank, failures;

static void expect(int good, const char* what) {
  if (good) return;
  ++failures;
  printf("rank %d: %s\n", rank, what);
}

static int is_of_weft(fftw_plan plan) {
  if (plan == NULL) return 0;
  char* const text = fftw_sprint_plan(plan);
  const int result = strncmp(text, "(weft: ", 7) == 0;
  free(text);
  return result;
}

/* A field, both plans for it, and how much it grows there and back. */
struct field {
  ptrdiff_t n0, n1, n2, allocation;
  fftw_complex *in, *out;
  fftw_plan forward, backward;
};

static struct field make_field(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm) {
  struct field f = {n0, n1, n2, 0, NULL, NULL, NULL, NULL};
  ptrdiff_t rows, first_row, columns, first_column;
  f.allocation = fftw_mpi_local_size_3d_transposed(n0, n1, n2, comm, &rows, &first_row, &columns,
                                                   &first_column);
  f.in = fftw_alloc_complex((size_t)f.allocation);
  f.out = fftw_alloc_complex((size_t)f.allocation);
  f.forward = fftw_mpi_plan_dft_3d(n0, n1, n2, f.in, f.out, comm, FFTW_FORWARD,
                                   FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
  f.backward = fftw_mpi_plan_dft_3d(n0, n1, n2, f.out, f.in, comm, FFTW_BACKWARD,
                                    FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN);
  expect(is_of_weft(f.forward) && is_of_weft(f.backward), "plans are of weft");
  for (ptrdiff_t i = 0; i < rows * n1 * n2; ++i) f.in[i] = (double)(rank + i % 17) - I * (i % 5);
  return f;
}

static double there_and_back(struct field* f, ptrdiff_t count) {
  fftw_complex* const before = malloc((size_t)f->allocation * sizeof *before);
  memcpy(before, f->in, (size_t)f->allocation * sizeof *before);
  fftw_execute(f->forward);
  memset(f->in, 0xff, (size_t)f->allocation * sizeof *before);
  fftw_execute(f->backward);
  double worst = 0;
  const double factor = (double)(f->n0 * f->n1 * f->n2);
  for (ptrdiff_t i = 0; i < count; ++i) {
    f->in[i] /= factor;
    const double error = cabs(f->in[i] - before[i]);
    if (!(error <= worst)) worst = error;
  }
  free(before);
  return worst;
}

static void free_field(struct field* f) {
  fftw_free(f->in);
  fftw_free(f->out);
}

static ptrdiff_t own_points(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm) {
  ptrdiff_t rows, first_row;
  fftw_mpi_local_size_3d(n0, n1, n2, comm, &rows, &first_row);
  return rows * n1 * n2;
}

static void communicator_is_freed(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const ptrdiff_t count = own_points(12, 9, 5, comm);
  struct field f = make_field(12, 9, 5, comm);
  MPI_Comm_free(&comm);
  expect(there_and_back(&f, count) < 1e-13, "plans work after their communicator was freed");
  fftw_destroy_plan(f.forward);
  /* A new communicator may get the handle of the old one, but not its plans. */
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  struct field g = make_field(12, 9, 5, comm);
  const ptrdiff_t reversed_count = own_points(12, 9, 5, comm);
  expect(there_and_back(&g, reversed_count) < 1e-13, "plans of a new communicator");
  MPI_Comm_free(&comm);
  fftw_destroy_plan(g.backward);
  fftw_destroy_plan(g.forward);
  fftw_destroy_plan(f.backward);
  free_field(&f);
  free_field(&g);
}

/* Some ranks have plans that the others know nothing of. */
static void some_ranks(void) {
  MPI_Comm odd;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &odd);
  if (rank % 2 == 1) {
    struct field f = make_field(7, 8, 3, odd);
    expect(there_and_back(&f, own_points(7, 8, 3, odd)) < 1e-13, "plans of odd ranks");
    fftw_destroy_plan(f.forward);
    fftw_destroy_plan(f.backward);
    free_field(&f);
  }
  MPI_Comm_free(&odd);
}

static fftw_plan from_wisdom(struct field* f) {
  return fftw_mpi_plan_dft_3d(f->n0, f->n1, f->n2, f->in, f->out, MPI_COMM_WORLD, FFTW_FORWARD,
                              FFTW_ESTIMATE | FFTW_WISDOM_ONLY | FFTW_MPI_TRANSPOSED_OUT);
}

static void plans_in_turn(void) {
  const ptrdiff_t count = own_points(6, 10, 4, MPI_COMM_WORLD);
  struct field f = make_field(6, 10, 4, MPI_COMM_WORLD), g = make_field(6, 10, 4, MPI_COMM_WORLD);
  expect(f.forward != g.forward && f.forward != f.backward, "each plan has a handle of its own");
  fftw_destroy_plan(f.forward);
  f.forward = g.forward;
  expect(there_and_back(&g, count) < 1e-13, "a plan outlives one that does the same");
  fftw_destroy_plan(g.forward);
  fftw_destroy_plan(g.backward);
  f.forward = from_wisdom(&f);
  expect(is_of_weft(f.forward), "what a plan has is known while it lives");
  fftw_destroy_plan(f.forward);
  fftw_destroy_plan(f.backward);
  expect(from_wisdom(&f) == NULL, "there is no wisdom");
  fftw_destroy_plan(NULL);
  free_field(&f);
  free_field(&g);
}

static void figures(void) {
  struct field f = make_field(8, 8, 8, MPI_COMM_WORLD);
  double add = -1, mul = -1, fma = -1;
  fftw_flops(f.forward, &add, &mul, &fma);
  expect(add + mul >= 0 && fma >= 0 && (rank > 0 || add + mul > 0), "fftw_flops");
  expect(fftw_cost(f.forward) > 0 && fftw_estimate_cost(f.backward) > 0, "fftw_cost");
  char text[200] = "";
  FILE* const file = tmpfile();
  fftw_fprint_plan(f.backward, file);
  rewind(file);
  expect(fgets(text, sizeof text, file) != NULL && strstr(text, "c2c backward 8x8x8") != NULL,
         "fftw_fprint_plan");
  fclose(file);
  fftw_destroy_plan(f.forward);
  fftw_destroy_plan(f.backward);
  free_field(&f);
}

static long resident_bytes(void) {
  long pages = 0, ignored;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &ignored, &pages) != 2) pages = 0;
  if (file != NULL) fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

/* There where libraries are built with a sanitizer, which keeps what was freed for a while. */
extern void __asan_init(void) __attribute__((weak));

static long most_growth(void) {
  return __asan_init != NULL ? 1L << 28 : 1L << 20;
}

static void a_thousand_plans(void) {
  long before = 0;
  for (int i = 0; i < 1100; ++i) {
    struct field f = make_field(8, 6, 4, MPI_COMM_WORLD);
    fftw_destroy_plan(f.forward);
    fftw_destroy_plan(f.backward);
    free_field(&f);
    if (i == 99) before = resident_bytes();
  }
  const long grown = resident_bytes() - before;
  if (grown >= most_growth()) printf("rank %d: grown by %ld bytes\n", rank, grown);
  expect(grown < most_growth(), "memory does not grow with plans that were destroyed");
}

static void* run_serial(void* given) {
  fftw_execute(*(fftw_plan*)given);
  return NULL;
}

/* Plans of FFTW itself, before and after plans of weft. */
static void serial_plans(void) {
  enum { n = 30 };
  fftw_complex in[2][n], out[2][n];
  fftw_plan plans[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    plans[i] = fftw_plan_dft_1d(n, in[i], out[i], FFTW_FORWARD, FFTW_ESTIMATE);
    expect(plans[i] != NULL && !is_of_weft(plans[i]), "FFTW makes its own plans");
    for (int j = 0; j < n; ++j) in[i][j] = j == i ? 1 : 0;
  }
  struct field f = make_field(9, 5, 31, MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run_serial, &plans[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < n; ++k) {
      const double complex right = cexp(-I * (2 * 3.141592653589793 * i * k / n));
      expect(cabs(out[i][k] - right) < 1e-14, "FFTW runs its own plans");
    }
    double add, mul, fma;
    fftw_flops(plans[i], &add, &mul, &fma);
    expect(add > 0 && fftw_cost(plans[i]) >= 0, "figures of FFTW's own plans");
    fftw_execute_dft(plans[i], in[1 - i], out[i]);
    fftw_destroy_plan(plans[i]);
  }
  expect(cabs(out[1][3] - 1) < 1e-14, "FFTW runs its own plans on other arrays");
  fftw_destroy_plan(f.forward);
  fftw_destroy_plan(f.backward);
  free_field(&f);
}

static char* first_line(void) {
  char* const text = fftw_export_wisdom_to_string();
  text[strcspn(text, "\n")] = '\0';
  return text;
}

/* FFTW reads what it wrote, also in a program without weft: the first line tells what it knows of.
 */
static void wisdom(const char* line_before) {
  char* const line = first_line();
  expect(strcmp(line, line_before) == 0, "FFTW knows of what it knew before weft's plans");
  free(line);
  fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
  fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
  char* const text = fftw_export_wisdom_to_string();
  expect(strstr(text, "weft") == NULL, "wisdom is FFTW's alone");
  expect(fftw_import_wisdom_from_string(text) == 1, "FFTW reads its wisdom");
  free(text);
}

static int plan_has(fftw_plan plan, const char* word) {
  char* const text = fftw_sprint_plan(plan);
  const int found = strstr(text, word) != NULL;
  free(text);
  return found;
}

static void threads(void) {
  struct field f = make_field(5, 31, 4, MPI_COMM_WORLD);
  expect(plan_has(f.forward, "threads=1)"), "one thread, as of FFTW");
  expect(fftw_init_threads() != 0, "fftw_init_threads");
  fftw_plan_with_nthreads(2);
  const ptrdiff_t count = own_points(5, 31, 4, MPI_COMM_WORLD);
  struct field g = make_field(5, 31, 4, MPI_COMM_WORLD);
  expect(plan_has(g.forward, "threads=2)"), "as many threads as FFTW was asked for");
  expect(there_and_back(&g, count) < 1e-13, "plans with threads");
  fftw_complex* const data = fftw_alloc_complex(256 * 256);
  const fftw_plan serial = fftw_plan_dft_2d(256, 256, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  expect(plan_has(serial, "thr"), "FFTW's own plans have their threads still");
  fftw_destroy_plan(serial);
  fftw_free(data);
  fftw_destroy_plan(f.forward);
  fftw_destroy_plan(g.forward);
  fftw_destroy_plan(f.backward);
  fftw_destroy_plan(g.backward);
  free_field(&f);
  free_field(&g);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* const line = first_line();
  communicator_is_freed();
  some_ranks();
  plans_in_turn();
  figures();
  serial_plans();
  wisdom(line);
  free(line);
  a_thousand_plans();
  threads();
  struct field left = make_field(4, 4, 4, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  /* Some programs are late with this. */
  fftw_destroy_plan(left.forward);
  fftw_destroy_plan(left.backward);
  free_field(&left);
  fftw_mpi_cleanup();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
