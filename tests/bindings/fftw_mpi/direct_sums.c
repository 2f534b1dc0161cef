/* Transforms by their definitions in FFTW's manual, axis by axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

static const double pi = 3.141592653589793238462643383279502884;

ptrdiff_t whole_position(const ptrdiff_t* n, int rnk, ptrdiff_t howmany, const ptrdiff_t* at,
                         ptrdiff_t field) {
  ptrdiff_t place = 0;
  for (int axis = 0; axis < rnk; ++axis) place = place * n[axis] + at[axis];
  return place * howmany + field;
}

static ptrdiff_t numbers(const struct problem* p) {
  ptrdiff_t count = p->howmany;
  for (int axis = 0; axis < p->rnk; ++axis) count *= p->n[axis];
  return count;
}

/* What number j contributes to number k. */
static double complex weight(int is_fourier, int sign, X(r2r_kind) kind, ptrdiff_t n, ptrdiff_t j,
                             ptrdiff_t k) {
  if (is_fourier) return cexp(I * (sign * 2 * pi * (double)(j * k % n) / (double)n));
  const double a = j, b = k, l = n;
  switch (kind) {
    case FFTW_REDFT00:
      return (j == 0 || j == n - 1 ? 1 : 2) * cos(pi * a * b / (l - 1));
    case FFTW_REDFT10:
      return 2 * cos(pi * (a + 0.5) * b / l);
    case FFTW_REDFT01:
      return (j == 0 ? 1 : 2) * cos(pi * a * (b + 0.5) / l);
    case FFTW_REDFT11:
      return 2 * cos(pi * (a + 0.5) * (b + 0.5) / l);
    case FFTW_RODFT00:
      return 2 * sin(pi * (a + 1) * (b + 1) / (l + 1));
    case FFTW_RODFT10:
      return 2 * sin(pi * (a + 0.5) * (b + 1) / l);
    case FFTW_RODFT01:
      return (j == n - 1 ? 1 : 2) * sin(pi * (a + 1) * (b + 0.5) / l);
    default: /* RODFT11 */
      return 2 * sin(pi * (a + 0.5) * (b + 0.5) / l);
  }
}

static void transform_axis(const struct problem* p, double complex* data, int axis, int sign) {
  const ptrdiff_t n = p->n[axis];
  ptrdiff_t inner = p->howmany;
  for (int other = axis + 1; other < p->rnk; ++other) inner *= p->n[other];
  double complex* const line = malloc((size_t)n * sizeof *line);
  double complex* const weights = malloc((size_t)(n * n) * sizeof *weights);
  for (ptrdiff_t k = 0; k < n; ++k)
    for (ptrdiff_t j = 0; j < n; ++j)
      weights[k * n + j] = weight(p->family != R2R, sign, p->kind[axis], n, j, k);
  const ptrdiff_t total = numbers(p);
  for (ptrdiff_t outer = 0; outer < total; outer += n * inner)
    for (ptrdiff_t i = outer; i < outer + inner; ++i) {
      for (ptrdiff_t j = 0; j < n; ++j) line[j] = data[i + j * inner];
      for (ptrdiff_t k = 0; k < n; ++k) {
        double complex sum = 0;
        for (ptrdiff_t j = 0; j < n; ++j) sum += weights[k * n + j] * line[j];
        data[i + k * inner] = sum;
      }
    }
  free(weights);
  free(line);
}

static void transform(const struct problem* p, double complex* data, int sign) {
  for (int axis = 0; axis < p->rnk; ++axis) transform_axis(p, data, axis, sign);
}

/* The first half of the last axis. */
static double complex* half_of(const struct problem* p, const double complex* data) {
  const ptrdiff_t n = p->n[p->rnk - 1], half = n / 2 + 1, rows = numbers(p) / (n * p->howmany);
  double complex* const result = malloc((size_t)(rows * half * p->howmany) * sizeof *result);
  for (ptrdiff_t row = 0; row < rows; ++row)
    memcpy(result + row * half * p->howmany, data + row * n * p->howmany,
           (size_t)(half * p->howmany) * sizeof *result);
  return result;
}

/* Numbers without any symmetry; real where the array in physical space is. */
static double complex* samples(const struct problem* p) {
  double complex* const data = malloc((size_t)numbers(p) * sizeof *data);
  unsigned seed = 5;
  for (ptrdiff_t i = 0; i < numbers(p); ++i) {
    const double re = random_below(&seed, 1000) / 1000.0 - 0.4;
    const double im = random_below(&seed, 1000) / 1000.0 - 0.7;
    data[i] = p->family == C2C ? re + I * im : re;
  }
  return data;
}

double complex* whole_input(const struct problem* p) {
  double complex* const data = samples(p);
  if (p->family != C2R) return data;
  transform(p, data, FFTW_FORWARD);
  double complex* const half = half_of(p, data);
  free(data);
  return half;
}

double complex* whole_output(const struct problem* p, const double complex* input) {
  const size_t bytes = (size_t)numbers(p) * sizeof *input;
  double complex* data;
  if (p->family == C2R) { /* back where the input came from, but for FFTW's factor */
    data = samples(p);
    const double factor = (double)(numbers(p) / p->howmany);
    for (ptrdiff_t i = 0; i < numbers(p); ++i) data[i] *= factor;
    return data;
  }
  data = malloc(bytes);
  memcpy(data, input, bytes);
  if (p->family == TRANSPOSE) return data;
  transform(p, data, p->family == R2C ? FFTW_FORWARD : p->sign);
  if (p->family != R2C) return data;
  double complex* const half = half_of(p, data);
  free(data);
  return half;
}
