#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

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
/// The type in words, such as "complex f64".
std::string to_string(ElementType type);

/// Whether arrays may be of numbers of type T: float, double, or std::complex of these.
template <class T>
inline constexpr bool is_element =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// The ElementType of numbers of type T.
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
  Index offset = 0;           ///< elements from the first allocated to the first owned one
  Index allocation_size = 0;  ///< elements to allocate, halo included; 0 if the box is empty
  ElementType type;           ///< the type of its elements

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

namespace detail {

/// An array whose type is known at run time only, for languages other than C++.
struct AnyArray {
  /// The size of arrays that are given by a pointer alone.
  static constexpr std::size_t unknown_size = static_cast<std::size_t>(-1);

  const void* data = nullptr;           ///< the first allocated element; outputs are written to it
  std::size_t elements = unknown_size;  ///< number of elements that it has room for
  ElementType type{};                   ///< the type of its elements
  /// Why the caller's array cannot be used; if not empty, every rank throws Error with this text.
  const char* refusal = nullptr;
};

template <class Pointer>
requires std::is_pointer_v<Pointer> Pointer data_of(const Pointer& array) {
  return array;
}
template <class Range>
requires(!std::is_pointer_v<std::remove_cv_t<Range>>) auto data_of(Range& array)
    -> decltype(std::data(array)) {
  return std::data(array);
}
AnyArray* data_of(const AnyArray& array);  // that knows its type at run time only

/// What an array is made of that is given as a pointer or a range; const if it may not be written.
template <class Array>
using ElementOf =
    std::remove_pointer_t<decltype(data_of(std::declval<std::remove_reference_t<Array>&>()))>;
/// Type of the numbers of such an array.
template <class Array>
using NumberOf = std::remove_cv_t<ElementOf<Array>>;

}  // namespace detail

/// A pointer to numbers, or a contiguous range of them: float, double, or std::complex of these.
template <class Array>
concept NumberArray = std::is_same_v<std::remove_cvref_t<Array>, detail::AnyArray> ||
    is_element<detail::NumberOf<Array>>;

/// A pointer to numbers that may be written, or a contiguous range of them.
template <class Array>
concept WritableArray = NumberArray<Array> && !std::is_const_v<detail::ElementOf<Array>>;

namespace detail {

/// An array of numbers as one that knows its type.
template <NumberArray Array>
AnyArray any_array(const Array& array) {
  if constexpr (std::is_same_v<Array, AnyArray>) {
    return array;
  } else if constexpr (std::is_pointer_v<Array>) {
    return {array, AnyArray::unknown_size, element_type_of<NumberOf<Array>>()};
  } else {
    return {std::data(array), std::size(array), element_type_of<NumberOf<Array>>()};
  }
}

}  // namespace detail

}  // namespace weft
