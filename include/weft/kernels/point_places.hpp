#pragma once

// Which point a number of an array is, told by its place in memory.
#include "weft/kernels/divisor.hpp"
#include "weft/kernels/numbers.hpp"
#include "weft/point.hpp"

namespace weft::detail {

/// The places of the numbers of an array, whose strides divide each other.
struct PointPlaces {
  /// The index along an axis is place / stride, less what `ratio`, the number of these strides in
  /// the next larger one, divides it by.
  struct Axis {
    Divisor stride, ratio;
  };

  Axis axis[max_axes];  ///< those with a single point have divisors of one
  Axis field;
  Point first;
  /// By axis: how many indices further the next number of a line is.
  std::uint32_t along[max_axes] = {};

  /// Of lines of which the compiler does not know the axis.
  static constexpr int any_axis = -1;

  /// Lines are those along the axis whose neighbors have this distance.
  void follow_lines(std::int64_t distance) {
    for (int i = 0; i < max_axes; ++i) along[i] = has_lines_along(i, distance) ? 1 : 0;
  }
  /// Whether neighbors along an axis have this distance.
  bool has_lines_along(int which, std::int64_t distance) const {
    return axis[which].ratio.count > 1 && axis[which].stride.count == distance;
  }

  /// The point of the number so many elements from the first one.
  WEFT_INLINE Point at(std::uint32_t place) const {
    Point point = first;
#if WEFT_ON_DEVICE
#pragma unroll
#endif
    for (int i = 0; i < max_axes; ++i) {
      if (i < first.index.size()) point.index[i] += index_of(place, axis[i]);
    }
    point.field += index_of(place, field);
    point.offset += place;
    return point;
  }
  /// Moves a point further along a line, which takes less than to make one. Where compilers know
  /// the axis, they read only once what a callback takes for the others.
  template <int line_axis>
  WEFT_INLINE void advance(Point& point, std::uint32_t numbers, std::int64_t elements) const {
    if constexpr (line_axis != any_axis) {
      point.index[line_axis] += numbers;
    } else {
      // With branches instead of products, transforms took 1.8 to 3 times as long (H200).
#if WEFT_ON_DEVICE
#pragma unroll
#endif
      for (int i = 0; i < max_axes; ++i) point.index[i] += Index{numbers} * along[i];
    }
    point.offset += elements;
  }

 private:
  WEFT_INLINE static std::uint32_t index_of(std::uint32_t place, const Axis& axis) {
    std::uint32_t steps = quotient(place, axis.stride);
    return take(steps, axis.ratio);
  }
};

/// Of an array that is read or written as a block. False where its places do not tell.
inline bool make_point_places(const PointBlock& block, PointPlaces& places) {
  places = {};
  places.first = block.first;
  Index size = 1;
  for (int i = 0; i < block.loop_count; ++i) {
    const PointBlock::Loop& loop = block.loops[i];
    if (loop.count == 1) continue;
    const bool is_last = i + 1 == block.loop_count;
    const Index next = is_last ? divisor_limit : block.loops[i + 1].to;
    if (loop.to < size || loop.from != loop.to || loop.offset != loop.to || next > divisor_limit ||
        (!is_last && next % loop.to != 0)) {
      return false;
    }
    size = (loop.count - 1) * loop.to + size;
    if (size > divisor_limit) return false;
    PointPlaces::Axis& axis =
        loop.axis == block.first.index.size() ? places.field : places.axis[loop.axis];
    axis = {make_divisor(static_cast<std::uint32_t>(loop.to)),
            make_divisor(static_cast<std::uint32_t>(is_last ? divisor_limit : next / loop.to))};
  }
  return true;
}

}  // namespace weft::detail
