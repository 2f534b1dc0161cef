/* Random problems by all functions of FFTW-MPI that make and run plans, compared with direct sums.
   The argument says who has to have made the plans: weft, fftw, or any. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

static int is_of_weft(const X(plan) plan) {
  char* const text = X(sprint_plan)(plan);
  const int result = strncmp(text, "(weft: ", 7) == 0;
  free(text);
  return result;
}

static X(plan) plan_many(const struct problem* p, void* in, void* out, MPI_Comm comm) {
  const unsigned flags = all_flags(p);
  switch (p->family) {
    case C2C:
      return X(mpi_plan_many_dft)(p->rnk, p->n, p->howmany, p->block[0], p->block[1], in, out, comm,
                                  p->sign, flags);
    case R2C:
      return X(mpi_plan_many_dft_r2c)(p->rnk, p->n, p->howmany, p->block[0], p->block[1], in, out,
                                      comm, flags);
    case C2R:
      return X(mpi_plan_many_dft_c2r)(p->rnk, p->n, p->howmany, p->block[0], p->block[1], in, out,
                                      comm, flags);
    case R2R:
      return X(mpi_plan_many_r2r)(p->rnk, p->n, p->howmany, p->block[0], p->block[1], in, out, comm,
                                  p->kind, flags);
    default:
      return X(mpi_plan_many_transpose)(p->n[0], p->n[1], p->howmany, p->block[0], p->block[1], in,
                                        out, comm, flags);
  }
}

/* By the functions for two and three axes, or for any number. */
static X(plan)
    plan_basic(const struct problem* p, void* in, void* out, MPI_Comm comm, int by_rank) {
  const unsigned flags = all_flags(p);
  const ptrdiff_t *n = p->n, n0 = n[0], n1 = n[1], n2 = n[2];
  const int rnk = by_rank ? p->rnk : 0;
  switch (p->family) {
    case C2C:
      if (rnk == 2) return X(mpi_plan_dft_2d)(n0, n1, in, out, comm, p->sign, flags);
      if (rnk == 3) return X(mpi_plan_dft_3d)(n0, n1, n2, in, out, comm, p->sign, flags);
      return X(mpi_plan_dft)(p->rnk, n, in, out, comm, p->sign, flags);
    case R2C:
      if (rnk == 2) return X(mpi_plan_dft_r2c_2d)(n0, n1, in, out, comm, flags);
      if (rnk == 3) return X(mpi_plan_dft_r2c_3d)(n0, n1, n2, in, out, comm, flags);
      return X(mpi_plan_dft_r2c)(p->rnk, n, in, out, comm, flags);
    case C2R:
      if (rnk == 2) return X(mpi_plan_dft_c2r_2d)(n0, n1, in, out, comm, flags);
      if (rnk == 3) return X(mpi_plan_dft_c2r_3d)(n0, n1, n2, in, out, comm, flags);
      return X(mpi_plan_dft_c2r)(p->rnk, n, in, out, comm, flags);
    case R2R:
      if (rnk == 2) return X(mpi_plan_r2r_2d)(n0, n1, in, out, comm, p->kind[0], p->kind[1], flags);
      if (rnk == 3)
        return X(mpi_plan_r2r_3d)(n0, n1, n2, in, out, comm, p->kind[0], p->kind[1], p->kind[2],
                                  flags);
      return X(mpi_plan_r2r)(p->rnk, n, in, out, comm, p->kind, flags);
    default:
      return X(mpi_plan_transpose)(n0, n1, in, out, comm, flags);
  }
}

/* All ways to run a plan: on its own arrays, and on others by functions of FFTW-MPI and of FFTW.
   Some programs call the last ones, though those of FFTW itself go astray with plans of FFTW-MPI.
 */
static void run(const struct problem* p, X(plan) plan, void* in, void* out, unsigned way) {
  if (way == 0) {
    X(execute)(plan);
  } else if (way == 1) {
    if (p->family == C2C) X(mpi_execute_dft)(plan, in, out);
    if (p->family == R2C) X(mpi_execute_dft_r2c)(plan, in, out);
    if (p->family == C2R) X(mpi_execute_dft_c2r)(plan, in, out);
    if (p->family == R2R || p->family == TRANSPOSE) X(mpi_execute_r2r)(plan, in, out);
  } else {
    if (p->family == C2C) X(execute_dft)(plan, in, out);
    if (p->family == R2C) X(execute_dft_r2c)(plan, in, out);
    if (p->family == C2R) X(execute_dft_c2r)(plan, in, out);
    if (p->family == R2R || p->family == TRANSPOSE) X(execute_r2r)(plan, in, out);
  }
}

static void put(const struct side* s, const double complex* whole, real* memory) {
  ptrdiff_t at[MOST_AXES];
  if (!first_point(s, at)) return;
  do {
    for (ptrdiff_t field = 0; field < s->howmany; ++field) {
      const double complex value = whole[whole_position(s->n, s->rnk, s->howmany, at, field)];
      const ptrdiff_t place = position(s, at, field);
      memory[s->is_complex ? 2 * place : place] = (real)creal(value);
      if (s->is_complex) memory[2 * place + 1] = (real)cimag(value);
    }
  } while (next_point(s, at));
}

/* The largest difference to what should be there. */
static double difference(const struct side* s, const double complex* whole, const real* memory) {
  ptrdiff_t at[MOST_AXES];
  double worst = 0;
  if (!first_point(s, at)) return worst;
  do {
    for (ptrdiff_t field = 0; field < s->howmany; ++field) {
      const double complex value = whole[whole_position(s->n, s->rnk, s->howmany, at, field)];
      const ptrdiff_t place = position(s, at, field);
      const double complex found =
          s->is_complex ? memory[2 * place] + I * memory[2 * place + 1] : memory[place];
      const double error = cabs(found - value);
      if (!(error <= worst)) worst = error; /* also where it is no number */
    }
  } while (next_point(s, at));
  return worst;
}

static double largest(const struct side* s, const double complex* whole) {
  ptrdiff_t count = s->howmany;
  double most = 0;
  for (int axis = 0; axis < s->rnk; ++axis) count *= s->n[axis];
  for (ptrdiff_t i = 0; i < count; ++i) most = fmax(most, cabs(whole[i]));
  return most;
}

enum { BEHIND = 256 };

/* An array that begins at an odd number of reals, if it may. All bits are set, there and behind it:
   pads are no numbers, and nobody writes behind it. */
static real* memory_for(const struct problem* p, size_t bytes, char** to_free) {
  *to_free = X(malloc)(sizeof(real) + bytes + BEHIND);
  memset(*to_free, 0xff, sizeof(real) + bytes + BEHIND);
  return (real*)*to_free + (p->flags & FFTW_UNALIGNED ? 1 : 0);
}

static int is_untouched_behind(const real* memory, size_t bytes) {
  for (size_t i = bytes; i < bytes + BEHIND; ++i)
    if (((const unsigned char*)memory)[i] != 0xff) return 0;
  return 1;
}

static double tolerance(void) {
  return sizeof(real) == 4 ? 4e-6 : 4e-14;
}

/* Returns whether all is well; collective. */
static int check(const struct problem* p, unsigned* seed, const char* made_by, MPI_Comm comm) {
  const struct side sides[2] = {side_of(p, 0, comm), side_of(p, 1, comm)};
  const size_t bytes = bytes_of(p, sides);
  char* to_free[4];
  real* arrays[4];
  for (int i = 0; i < 4; ++i) arrays[i] = memory_for(p, bytes, &to_free[i]);
  real *const in = arrays[0], *const out = arrays[1];
  const int of_weft = strcmp(made_by, "weft") == 0;
  const unsigned way = random_below(seed, of_weft ? 3 : 2), basic = random_below(seed, 2);
  const unsigned by_rank = random_below(seed, 2);
  const int may_be_basic = p->howmany == 1 && p->block[0] == 0 && p->block[1] == 0;
  X(plan)
  plan = may_be_basic && basic ? plan_basic(p, in, p->in_place ? in : out, comm, by_rank)
                               : plan_many(p, in, p->in_place ? in : out, comm);
  double complex* const input = whole_input(p);
  double complex* const output = whole_output(p, input);
  double wrong = 0;
  if (plan == NULL) {
    wrong = of_weft; /* FFTW lacks some */
  } else {
    if (strcmp(made_by, "any") != 0 && is_of_weft(plan) != of_weft) wrong = 1;
    real* const from = way == 0 ? in : arrays[2];
    real* const to = p->in_place ? from : way == 0 ? out : arrays[3];
    put(&sides[0], input, from);
    run(p, plan, from, to, way);
    const double error = difference(&sides[1], output, to) / largest(&sides[1], output);
    if (!(error <= tolerance())) wrong = error > 0 ? 2 + error : 3;
    /* c2r of several axes destroys its input. */
    if (!p->in_place && p->family != C2R && difference(&sides[0], input, from) > tolerance())
      wrong = 4;
    X(destroy_plan)(plan);
  }
  free(input);
  free(output);
  for (int i = 0; i < 4; ++i) {
    if (!is_untouched_behind(arrays[i], bytes)) wrong = 5;
    X(free)(to_free[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_MAX, comm);
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (wrong != 0 && rank == 0) {
    printf("wrong (%g): way %u basic %u ", wrong, way, basic);
    print_problem(p);
  }
  return wrong == 0;
}

/* Where one of the first axes is a single point, FFTW 3.3.10 takes the other sign for c2c, and
   writes behind arrays of the size that it asks for. Its c2r is wrong where blocks differ. */
static int fftw_can(const struct problem* p) {
  if (p->n[0] == 1 || p->n[1] == 1) return 0;
  return p->family != C2R || p->block[0] == p->block[1];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  X(mpi_init)();
  const char* const made_by = argc > 1 ? argv[1] : "any";
  const int by_fftw = strcmp(made_by, "fftw") == 0;
  const int problems = argc > 2 ? atoi(argv[2]) : 100;
  unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
  int ranks, rank, wrong = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  for (int i = 0; i < problems; ++i) {
    struct problem p = random_problem(&seed, ranks);
    if (by_fftw && !fftw_can(&p)) continue;
    if (!check(&p, &seed, made_by, i % 2 ? reversed : MPI_COMM_WORLD)) ++wrong;
  }
  if (rank == 0) printf("%d problems, %d wrong\n", problems, wrong);
  MPI_Comm_free(&reversed);
  X(mpi_cleanup)();
  MPI_Finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
