#pragma once

#include <complex>
#include <vector>

#include "weft/kinds.hpp"

namespace weft {

/// Transforms by their definitions: element j of the input of an axis with n points contributes
/// factor * input[j] to element k of the unscaled result. The backward transform of real data (r2c)
/// is the real part of the sum over the kept coefficients. Types and weights of the cosine and sine
/// transforms are those of scipy.fft.dct and dst.
std::complex<long double> definition_factor(Kind kind, Direction direction, Index j, Index k,
                                            Index n, bool orthogonal = false);

/// The same of some inputs, in a small part of the time.
std::vector<std::complex<long double>> definition_factors(Kind kind, Direction direction,
                                                          const std::vector<Index>& inputs, Index k,
                                                          Index n, bool orthogonal = false);

/// All factors of a cosine or sine transform of n points: that of input j for result k at k n + j.
std::vector<long double> definition_matrix(Kind kind, Direction direction, Index n,
                                           bool orthogonal = false);

/// What an element of the input or the output of a cosine or sine transform is multiplied with, so
/// that its matrix becomes orthogonal, but for a factor: scipy.fft's `orthogonalize`.
struct OrthogonalWeights {
  long double first_in = 1, last_in = 1, first_out = 1, last_out = 1;

  long double in(Index j, Index n) const { return of(first_in, last_in, j, n); }
  long double out(Index k, Index n) const { return of(first_out, last_out, k, n); }

 private:
  static long double of(long double first, long double last, Index i, Index n) {
    return (i == 0 ? first : 1) * (i == n - 1 ? last : 1);
  }
};
OrthogonalWeights orthogonal_weights(Kind kind, Direction direction);

/// Whether it is one of the cosine and sine transforms: real, also of complex data.
bool is_real_kind(Kind kind);

}  // namespace weft
