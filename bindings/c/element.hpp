#pragma once

#include <complex>
#include <type_traits>

#include "weft/plan.hpp"

namespace weft::c {

/// Calls work(std::type_identity<T>) with the type of elements. Arrays of C are void*, and the plan
/// tells what they hold.
template <class Work>
void with_type(ElementType type, Work&& work) {
  if (type.precision == Precision::f32) {
    type.complex ? work(std::type_identity<std::complex<float>>{})
                 : work(std::type_identity<float>{});
  } else {
    type.complex ? work(std::type_identity<std::complex<double>>{})
                 : work(std::type_identity<double>{});
  }
}

/// The same with the types of a transform's input and output, which have the same precision and no
/// complex numbers in physical space with real ones in spectral space.
template <class Work>
void with_types(ElementType in, ElementType out, Work&& work) {
  with_type(in, [&](auto input) {
    using In = typename decltype(input)::type;
    using Real = decltype(std::abs(In{}));
    out.complex ? work(input, std::type_identity<std::complex<Real>>{})
                : work(input, std::type_identity<Real>{});
  });
}

}  // namespace weft::c
