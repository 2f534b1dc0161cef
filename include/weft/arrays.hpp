#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <string>
#include <type_traits>

#include "weft/box.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// Type of the elements of a user's array.
struct ElementType {
  Precision precision;  ///< float or double
  bool complex;         ///< std::complex of that

  /// Whether both are the same type.
  friend bool operator==(const ElementType&, const ElementType&) = default;
};
/// "complex f64"
std::string to_string(ElementType type);

/// Whether arrays may be of numbers of type T: float, double, or std::complex of these.
template <class T>
inline constexpr bool is_element =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// The type of numbers as a value.
template <class T>
requires is_element<T>
constexpr ElementType element_type_of() {
  return {sizeof(T) == (std::is_floating_point_v<T> ? 4 : 8) ? Precision::f32 : Precision::f64,
          !std::is_floating_point_v<T>};
}

/// Where the part of an array that this rank owns lies in its memory: the element at global index i
/// is at offset + sum over axes of (i[a] - box.lower[a]) * strides[a]; with a batch, strides has
/// one entry more, the distance between fields.
struct LocalArray {
  Box box;                    ///< points that this rank owns
  Strides strides;            ///< distances in elements
  Index offset = 0;           ///< of the first owned element, from the first allocated one
  Index allocation_size = 0;  ///< elements to allocate, halo included; 0 where the box is empty
  ElementType type;           ///< of the elements

  /// Where the element at a global index lies in the array: one number for each axis, and with a
  /// batch one more, the field. Not checked.
  ///
  ///     u[mine.position(i, j, k)] = f(i, j, k);
  template <std::integral... Indices>
  Index position(Indices... global) const {
    Index place = offset;
    int axis = 0;
    ((place +=
      (static_cast<Index>(global) - (axis < box.axes() ? box.lower[axis] : 0)) * strides[axis],
      ++axis),
     ...);
    return place;
  }
};

/// An array whose type is known at run time only, for languages other than C++.
struct AnyArray {
  /// Of arrays given by a pointer alone.
  static constexpr std::size_t unknown_size = static_cast<std::size_t>(-1);

  const void* data = nullptr;  ///< the first allocated element; written to where it is an output
  std::size_t elements = unknown_size;  ///< that it has room for
  ElementType type{};                   ///< of the elements
  /// Why the caller's array cannot be used, if so: every rank then throws Error with this text.
  const char* refusal = nullptr;
};

namespace detail {

template <class Array>
struct NumberOfArray {
  using type = std::remove_cv_t<std::ranges::range_value_t<Array>>;
};
template <class T>
struct NumberOfArray<T*> {
  using type = std::remove_cv_t<T>;
};
// Of an array that knows its type at run time only there is none to be had here.
template <>
struct NumberOfArray<AnyArray> {
  using type = AnyArray;
};
/// Type of the numbers of an array that is given as a pointer or a range.
template <class Array>
using NumberOf = typename NumberOfArray<std::remove_cvref_t<Array>>::type;

}  // namespace detail

/// A pointer to numbers, a contiguous range of them, or an AnyArray.
template <class Array>
concept NumberArray = std::is_same_v<std::remove_cvref_t<Array>, AnyArray> ||
    (is_element<detail::NumberOf<Array>> &&
     (std::is_pointer_v<std::remove_cvref_t<Array>> || std::ranges::contiguous_range<Array>));

/// An array of numbers as one that knows its type.
template <NumberArray Array>
AnyArray any_array(const Array& array) {
  if constexpr (std::is_same_v<Array, AnyArray>) {
    return array;
  } else if constexpr (std::is_pointer_v<Array>) {
    return {array, AnyArray::unknown_size, element_type_of<detail::NumberOf<Array>>()};
  } else {
    return {std::ranges::data(array), std::ranges::size(array),
            element_type_of<detail::NumberOf<Array>>()};
  }
}

}  // namespace weft
