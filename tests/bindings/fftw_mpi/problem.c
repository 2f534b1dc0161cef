#include "problem.h"

#include <stdio.h>
#include <string.h>

unsigned random_below(unsigned* seed, unsigned limit) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % limit;
}

/* A block of all points would have another meaning. */
static ptrdiff_t block_for(unsigned* seed, ptrdiff_t n, int ranks) {
  const ptrdiff_t block = (n + ranks - 1) / ranks + random_below(seed, 3);
  return random_below(seed, 2) && block < n ? block : FFTW_MPI_DEFAULT_BLOCK;
}

/* The number of points along an axis of the input or of the output. */
static ptrdiff_t points(const struct problem* p, int output, int axis) {
  const int halved = (p->family == R2C && output) || (p->family == C2R && !output);
  return halved && axis == p->rnk - 1 ? p->n[axis] / 2 + 1 : p->n[axis];
}

/* The axis that is distributed. */
static int split_of(const struct problem* p, int output) {
  return p->family == TRANSPOSE ? output : p->transposed[output];
}

struct problem random_problem(unsigned* seed, int ranks) {
  struct problem p;
  memset(&p, 0, sizeof p);
  p.family = (enum family)random_below(seed, FAMILIES);
  p.rnk = p.family == TRANSPOSE ? 2 : 2 + (int)random_below(seed, 3);
  for (int axis = 0; axis < p.rnk; ++axis) {
    p.n[axis] = 1 + random_below(seed, p.rnk == 4 ? 6 : 13);
    p.kind[axis] = (X(r2r_kind))(FFTW_REDFT00 + random_below(seed, 8));
    if (p.kind[axis] == FFTW_REDFT00 && p.family == R2R && p.n[axis] == 1) p.n[axis] = 2;
  }
  p.howmany = 1 + random_below(seed, 4);
  p.in_place = (int)random_below(seed, 2);
  p.sign = random_below(seed, 2) ? FFTW_FORWARD : FFTW_BACKWARD;
  for (int output = 0; output < 2; ++output) {
    p.transposed[output] = (int)random_below(seed, 2);
    /* The real array of two axes is not distributed along the halved one. */
    if (p.rnk == 2 && p.family == (output ? C2R : R2C)) p.transposed[output] = 0;
    p.block[output] = block_for(seed, points(&p, output, split_of(&p, output)), ranks);
  }
  p.flags = random_below(seed, 20) ? FFTW_ESTIMATE : FFTW_MEASURE;
  if (random_below(seed, 4) == 0) p.flags |= FFTW_UNALIGNED;
  return p;
}

unsigned all_flags(const struct problem* p) {
  return p->flags | (p->transposed[0] ? FFTW_MPI_TRANSPOSED_IN : 0) |
         (p->transposed[1] ? FFTW_MPI_TRANSPOSED_OUT : 0);
}

void print_problem(const struct problem* p) {
  static const char* const names[] = {"c2c", "r2c", "c2r", "r2r", "transpose"};
  printf("%s sign %d n", names[p->family], p->sign);
  for (int axis = 0; axis < p->rnk; ++axis) printf(" %td", p->n[axis]);
  if (p->family == R2R) {
    printf(" kinds");
    for (int axis = 0; axis < p->rnk; ++axis) printf(" %d", (int)p->kind[axis]);
  }
  printf(" howmany %td blocks %td %td transposed %d %d in place %d flags %u\n", p->howmany,
         p->block[0], p->block[1], p->transposed[0], p->transposed[1], p->in_place, p->flags);
}

struct side side_of(const struct problem* p, int output, MPI_Comm comm) {
  struct side s;
  memset(&s, 0, sizeof s);
  s.rnk = p->rnk;
  s.howmany = p->howmany;
  s.split = split_of(p, output);
  /* Memory of a transpose: n0 x n1 before, n1 x n0 after, unless the flags say otherwise. */
  const int swapped = p->family == TRANSPOSE ? p->transposed[output] != output : s.split == 1;
  ptrdiff_t sizes[MOST_AXES];
  for (int axis = 0; axis < p->rnk; ++axis) {
    s.n[axis] = s.length[axis] = sizes[axis] = points(p, output, axis);
    s.order[axis] = axis;
  }
  if (swapped) {
    s.order[0] = 1;
    s.order[1] = 0;
  }
  const int halved = p->family == R2C || p->family == C2R;
  s.is_complex = p->family == C2C || (halved && output == (p->family == R2C));
  if (halved) {
    const int last = p->rnk - 1;
    sizes[last] = p->n[last] / 2 + 1;
    if (!s.is_complex) s.length[last] = 2 * sizes[last];
  }
  ptrdiff_t blocks[2] = {FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK};
  blocks[split_of(p, !output)] = p->block[!output];
  blocks[s.split] = p->block[output];
  ptrdiff_t n0, start0, n1, start1;
  s.allocation = X(mpi_local_size_many_transposed)(p->rnk, sizes, p->howmany, blocks[0], blocks[1],
                                                   comm, &n0, &start0, &n1, &start1);
  s.count = s.split == 0 ? n0 : n1;
  s.start = s.split == 0 ? start0 : start1;
  return s;
}

size_t bytes_of(const struct problem* p, const struct side sides[2]) {
  const ptrdiff_t most =
      sides[0].allocation > sides[1].allocation ? sides[0].allocation : sides[1].allocation;
  return (size_t)most * (p->family == R2R || p->family == TRANSPOSE ? 1 : 2) * sizeof(real);
}

ptrdiff_t position(const struct side* s, const ptrdiff_t* at, ptrdiff_t field) {
  ptrdiff_t place = 0;
  for (int i = 0; i < s->rnk; ++i) {
    const int axis = s->order[i];
    const ptrdiff_t length = axis == s->split ? s->count : s->length[axis];
    place = place * length + at[axis] - (axis == s->split ? s->start : 0);
  }
  return place * s->howmany + field;
}

int first_point(const struct side* s, ptrdiff_t* at) {
  for (int axis = 0; axis < s->rnk; ++axis) at[axis] = axis == s->split ? s->start : 0;
  return s->count > 0;
}

int next_point(const struct side* s, ptrdiff_t* at) {
  for (int axis = s->rnk - 1; axis >= 0; --axis) {
    const ptrdiff_t begin = axis == s->split ? s->start : 0;
    const ptrdiff_t count = axis == s->split ? s->count : s->n[axis];
    if (++at[axis] < begin + count) return 1;
    at[axis] = begin;
  }
  return 0;
}
