#pragma once

#include <complex>
#include <type_traits>

#include "weft/plan.hpp"

namespace weft::c {

/// An array of C is a void*, and the plan or the like tells what it holds.
inline detail::AnyArray array_of(const void* data, ElementType type) {
  return {data, detail::AnyArray::unknown_size, type};
}

/// Calls work(std::type_identity<T>) with the type of elements.
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

}  // namespace weft::c
