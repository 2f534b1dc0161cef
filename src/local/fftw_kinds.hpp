#pragma once

#include <fftw3.h>

#include <optional>

#include "weft/kinds.hpp"

namespace weft {

/// FFTW's name of a cosine or sine transform or its inverse; none for other kinds. Both libraries
/// scale alike.
inline std::optional<fftw_r2r_kind> fftw_r2r_kind_of(Kind kind, Direction direction) {
  const bool forward = direction == Direction::forward;
  switch (kind) {
    case Kind::dct1:
      return FFTW_REDFT00;
    case Kind::dct2:
      return forward ? FFTW_REDFT10 : FFTW_REDFT01;
    case Kind::dct3:
      return forward ? FFTW_REDFT01 : FFTW_REDFT10;
    case Kind::dct4:
      return FFTW_REDFT11;
    case Kind::dst1:
      return FFTW_RODFT00;
    case Kind::dst2:
      return forward ? FFTW_RODFT10 : FFTW_RODFT01;
    case Kind::dst3:
      return forward ? FFTW_RODFT01 : FFTW_RODFT10;
    case Kind::dst4:
      return FFTW_RODFT11;
    default:
      return std::nullopt;
  }
}

}  // namespace weft
