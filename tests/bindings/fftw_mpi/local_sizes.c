/* What weft answers about sizes of arrays, against what FFTW-MPI does. The argument is the file of
   the genuine library. With the argument "alone" weft is not to have it either: it then computes
   all numbers itself. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

typedef ptrdiff_t many_transposed(int, const ptrdiff_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t, MPI_Comm,
                                  ptrdiff_t*, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*);

struct answer {
  ptrdiff_t size, n0, start0, n1, start1;
};

static int same_places(struct answer a, struct answer b) {
  return a.n0 == b.n0 && a.start0 == b.start0 && a.n1 == b.n1 && a.start1 == b.start1;
}

/* By all functions that may be asked. */
static int check_names(int rnk, const ptrdiff_t* n, struct answer right) {
  struct answer a = right, b = right;
  int good = 1;
  a.size = X(mpi_local_size_transposed)(rnk, n, MPI_COMM_WORLD, &a.n0, &a.start0, &a.n1, &a.start1);
  good &= a.size == right.size && same_places(a, right);
  if (rnk == 2)
    a.size = X(mpi_local_size_2d_transposed)(n[0], n[1], MPI_COMM_WORLD, &a.n0, &a.start0, &a.n1,
                                             &a.start1);
  if (rnk == 3)
    a.size = X(mpi_local_size_3d_transposed)(n[0], n[1], n[2], MPI_COMM_WORLD, &a.n0, &a.start0,
                                             &a.n1, &a.start1);
  good &= a.size == right.size && same_places(a, right);
  b.size = X(mpi_local_size)(rnk, n, MPI_COMM_WORLD, &b.n0, &b.start0);
  good &= b.size >= right.n0 && same_places(b, right);
  if (rnk == 2) b.size = X(mpi_local_size_2d)(n[0], n[1], MPI_COMM_WORLD, &b.n0, &b.start0);
  if (rnk == 3) b.size = X(mpi_local_size_3d)(n[0], n[1], n[2], MPI_COMM_WORLD, &b.n0, &b.start0);
  good &= b.size >= right.n0 && same_places(b, right);
  b.size = X(mpi_local_size_many)(rnk, n, 1, 0, MPI_COMM_WORLD, &b.n0, &b.start0);
  return good & (b.size >= right.n0 && same_places(b, right));
}

static int check(unsigned* seed, int ranks, many_transposed* genuine, int alone) {
  ptrdiff_t n[MOST_AXES];
  const int rnk = 2 + (int)random_below(seed, 3);
  for (int axis = 0; axis < rnk; ++axis) n[axis] = 1 + random_below(seed, 70);
  const int is_default = (int)random_below(seed, 2);
  const ptrdiff_t howmany = is_default ? 1 : 1 + random_below(seed, 5);
  const ptrdiff_t block0 = is_default ? 0 : (n[0] + ranks - 1) / ranks + random_below(seed, 4);
  const ptrdiff_t block1 = is_default ? 0 : (n[1] + ranks - 1) / ranks + random_below(seed, 4);
  struct answer ours, theirs;
  ours.size = X(mpi_local_size_many_transposed)(rnk, n, howmany, block0, block1, MPI_COMM_WORLD,
                                                &ours.n0, &ours.start0, &ours.n1, &ours.start1);
  theirs.size = genuine(rnk, n, howmany, block0, block1, MPI_COMM_WORLD, &theirs.n0, &theirs.start0,
                        &theirs.n1, &theirs.start1);
  ptrdiff_t rest = howmany;
  for (int axis = 2; axis < rnk; ++axis) rest *= n[axis];
  int good = same_places(ours, theirs) && ours.size >= ours.n0 * n[1] * rest &&
             (block1 >= n[1] || ours.size >= ours.n1 * n[0] * rest) && ours.size > 0;
  if (!alone) good &= ours.size >= theirs.size;
  if (is_default) good &= check_names(rnk, n, ours);
  if (!good) {
    printf(
        "n %td %td (%d axes), howmany %td, blocks %td %td: %td of %td, %td of %td, size %td; "
        "FFTW %td of %td, %td of %td, size %td\n",
        n[0], n[1], rnk, howmany, block0, block1, ours.n0, ours.start0, ours.n1, ours.start1,
        ours.size, theirs.n0, theirs.start0, theirs.n1, theirs.start1, theirs.size);
  }
  return good;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks, wrong = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
  many_transposed* const genuine =
      library == NULL ? NULL
                      : (many_transposed*)dlsym(library, "fftw_mpi_local_size_many_transposed");
  if (genuine == NULL || genuine == &X(mpi_local_size_many_transposed)) {
    printf("FFTW-MPI is not in the file that the argument names\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  unsigned seed = 3;
  for (int i = 0; i < 500; ++i) {
    if (!check(&seed, ranks, genuine, argc > 2 && strcmp(argv[2], "alone") == 0)) ++wrong;
  }
  MPI_Finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
