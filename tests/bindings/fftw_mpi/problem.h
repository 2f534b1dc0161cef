#ifndef WEFT_TESTS_FFTW_MPI_PROBLEM_H
#define WEFT_TESTS_FFTW_MPI_PROBLEM_H

#include <complex.h>
#include <fftw3-mpi.h>
#include <stddef.h>

/* A program of FFTW-MPI in both precisions: compiled with SINGLE it uses that. */
#ifdef SINGLE
typedef float real;
#define X(name) fftwf_##name
#else
typedef double real;
#define X(name) fftw_##name
#endif

enum family { C2C, R2C, C2R, R2R, TRANSPOSE, FAMILIES };
enum { MOST_AXES = 4 };

/* The arguments of fftw_mpi_plan_many_*. */
struct problem {
  enum family family;
  int rnk;
  ptrdiff_t n[MOST_AXES];
  ptrdiff_t howmany;
  ptrdiff_t block[2]; /* of the input and of the output */
  int transposed[2];
  int in_place;
  int sign;
  X(r2r_kind) kind[MOST_AXES];
  unsigned flags; /* for planning */
};

/* Equal on all ranks, and for equal seeds. */
struct problem random_problem(unsigned* seed, int ranks);
unsigned random_below(unsigned* seed, unsigned limit);
void print_problem(const struct problem* p);
unsigned all_flags(const struct problem* p);

/* One of the two arrays as it lies in the memory of a rank. */
struct side {
  int rnk;
  ptrdiff_t n[MOST_AXES];      /* points of the whole array */
  ptrdiff_t length[MOST_AXES]; /* of an axis in memory, padding included */
  int order[MOST_AXES];        /* axes from slowest to fastest */
  int split;                   /* the axis that is distributed */
  ptrdiff_t count, start;      /* what this rank has of it */
  int is_complex;
  ptrdiff_t howmany;
  ptrdiff_t allocation; /* in complex numbers, or in reals where those are all there is */
};
struct side side_of(const struct problem* p, int output, MPI_Comm comm);
/* Bytes that either side of the problem needs. */
size_t bytes_of(const struct problem* p, const struct side sides[2]);
/* Where a point of this rank lies. */
ptrdiff_t position(const struct side* s, const ptrdiff_t* at, ptrdiff_t field);
/* The next point of this rank; 0 after the last one. Begin with first_point. */
int first_point(const struct side* s, ptrdiff_t* at);
int next_point(const struct side* s, ptrdiff_t* at);

/* Whole arrays: the input by a formula, and the transform of it by its definition. The caller frees
   them. Both have the fields as the last, fastest axis. */
double complex* whole_input(const struct problem* p);
double complex* whole_output(const struct problem* p, const double complex* input);
ptrdiff_t whole_position(const ptrdiff_t* n, int rnk, ptrdiff_t howmany, const ptrdiff_t* at,
                         ptrdiff_t field);

#endif
