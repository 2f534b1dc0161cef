#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "weft/error.hpp"
#include "weft/host_device.hpp"

namespace weft {

/// Lengths, coordinates, counts and offsets are 64-bit everywhere.
using Index = std::int64_t;

/// Largest number of axes of a user's array.
inline constexpr int max_axes = 6;

/// One value per axis, stored inline. It has room for one axis more than a user may have, because
/// a batch of fields is handled as one more (never transformed) axis.
template <class T>
class Axes {
 public:
  static constexpr int capacity = max_axes + 1;  ///< most values that there is room for

  constexpr Axes() = default;  ///< makes an empty list
  /// Makes a list of these values. Throws Error when there are more than `capacity`.
  constexpr Axes(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }
  /// `count` copies of `value`.
  static constexpr Axes filled(int count, const T& value) {
    Axes result;
    for (int i = 0; i < count; ++i) result.push_back(value);
    return result;
  }

  WEFT_HOST_DEVICE constexpr int size() const { return size_; }  ///< number of values
  constexpr bool empty() const { return size_ == 0; }            ///< whether there is none
  /// The value of an axis below size(), which is not checked.
  WEFT_HOST_DEVICE constexpr T& operator[](int axis) { return begin()[axis]; }
  /// The value of an axis below size(), which is not checked.
  WEFT_HOST_DEVICE constexpr const T& operator[](int axis) const { return begin()[axis]; }
  /// First value.
  WEFT_HOST_DEVICE constexpr T* begin() { return values_; }
  /// Past the last value.
  constexpr T* end() { return values_ + size_; }
  /// First value.
  WEFT_HOST_DEVICE constexpr const T* begin() const { return values_; }
  /// Past the last value.
  constexpr const T* end() const { return values_ + size_; }
  constexpr const T& back() const { return values_[size_ - 1]; }  ///< the last value

  /// Appends a value. Throws Error when there is no room for it.
  constexpr void push_back(const T& value) {
    if (size_ == capacity) {
      throw Error("more than " + std::to_string(max_axes) + " axes are not supported");
    }
    values_[size_++] = value;
  }
  constexpr void clear() { size_ = 0; }  ///< removes all values
  /// Whether one of the values equals `value`.
  constexpr bool contains(const T& value) const {
    for (const T& mine : *this) {
      if (mine == value) return true;
    }
    return false;
  }

  /// Whether both have the same values in the same order.
  friend constexpr bool operator==(const Axes& a, const Axes& b) {
    if (a.size() != b.size()) return false;
    for (int axis = 0; axis < a.size(); ++axis) {
      if (!(a[axis] == b[axis])) return false;
    }
    return true;
  }

 private:
  T values_[capacity]{};
  int size_ = 0;
};

/// Lengths or coordinates, one per axis.
using Extents = Axes<Index>;
/// Distances in elements between neighbors, one per axis.
using Strides = Axes<Index>;
/// Axis numbers, for example a memory order: slowest axis first.
using AxisList = Axes<int>;

/// The lengths as text: "4x8x16".
std::string to_string(const Extents& extents);
/// The axes as text: "(0,2,1)".
std::string to_string(const AxisList& axes);
/// Product of the lengths; 1 for no axes. Throws Error when it does not fit in 63 bits.
Index product(const Extents& extents);

}  // namespace weft
