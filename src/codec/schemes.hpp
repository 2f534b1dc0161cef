#pragma once

#include "codec/bfp_scheme.hpp"
#include "codec/cast_scheme.hpp"
#include "codec/trim_scheme.hpp"
#include "weft/error.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// Numbers as they are, for messages that are measured but not shortened.
template <class Number>
struct PlainScheme {
  using Real = Number;
  static constexpr BlockScheme name = BlockScheme::plain;
  static constexpr int header_bytes = 0;
  static constexpr bool by_largest = false;
  static constexpr int width = 8 * sizeof(Real);
  static constexpr int fixed_width = width;

  struct Encoder {
    static constexpr std::uint32_t header = 0;
    WEFT_INLINE Word<Real> operator()(Real value) const { return std::bit_cast<Word<Real>>(value); }
  };
  WEFT_INLINE Encoder encoder(Word<Real>) const { return {}; }

  struct Decoder {
    WEFT_INLINE Real operator()(Word<Real> code) const { return std::bit_cast<Real>(code); }
  };
  WEFT_INLINE Decoder decoder(std::uint32_t) const { return {}; }
};

/// Calls visit(scheme) with the scheme of a format, for reals of this type.
template <class Real, class Visit>
void with_scheme(const BlockFormat& format, Visit&& visit) {
  switch (format.scheme) {
    case BlockScheme::plain:
      return visit(PlainScheme<Real>{});
    case BlockScheme::bfp:
      return visit(BfpScheme<Real>{format.width});
    case BlockScheme::trim:
      return visit(TrimScheme<Real>(format.width));
    case BlockScheme::fp16:
      return visit(Fp16Scheme<Real>{});
    default:
      break;
  }
  if constexpr (sizeof(Real) == 8) {
    if (format.scheme == BlockScheme::wide_bfp) return visit(WideBfpScheme{format.width});
    if (format.scheme == BlockScheme::fp32) return visit(Fp32Scheme{});
    if (format.scheme == BlockScheme::bf16) return visit(Bf16Scheme{});
  }
  throw Error("this format of blocks is not one of these numbers");
}

template <class Visit>
void with_scheme(const BlockFormat& format, Precision precision, Visit&& visit) {
  if (precision == Precision::f32) {
    with_scheme<float>(format, visit);
  } else {
    with_scheme<double>(format, visit);
  }
}

}  // namespace weft
