#pragma once

#include <complex>

#include "weft/kinds.hpp"

namespace weft {

/// Transforms by their definitions: element j of the input of an axis with n points contributes
/// factor * input[j] to element k of the unscaled result. The backward transform of real data (r2c)
/// is the real part of the sum over the kept coefficients. Types and weights of the cosine and sine
/// transforms are those of scipy.fft.dct and dst.
std::complex<long double> definition_factor(Kind kind, Direction direction, Index j, Index k,
                                            Index n);

/// Whether it is one of the cosine and sine transforms: real, also of complex data.
bool is_real_kind(Kind kind);
/// The real kind whose forward transform is the backward one of `kind`, but for scale.
Kind inverse(Kind kind);

}  // namespace weft
