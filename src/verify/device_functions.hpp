#pragma once

// What threads of a device do to fill arrays and to check them: callbacks, as those of plans.
#include "verify/double_double.hpp"
#include "verify/line_pieces.hpp"
#include "verify/random_value.hpp"
#include "weft/spectral_functions.hpp"

namespace weft::detail::functions {

/// Overwrites a number with that of the random field.
struct RandomFill {
  Extents shape;
  std::uint64_t seed;

  template <class Number>
  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    Index element = point.field;
    for (int axis = 0; axis < max_axes; ++axis) {
      if (axis < shape.size()) element = element * shape[axis] + point.index[axis];
    }
    value = random_number<Number>(element, seed);
  }
};

/// Adds this thread's share of the squares of what an array differs from the random field, and of
/// the field. Threads count along axis 0.
template <class Number>
struct FieldDifference {
  const Number* numbers;
  LinePieces lines;
  std::uint64_t seed;
  Index threads;

  WEFT_HOST_DEVICE void operator()(Complex<double>& sums, const Point& thread) const {
    using Part = typename PartOfNumber<Number>::type;
    for (Index piece = thread.index[0]; piece < lines.count; piece += threads) {
      auto rest = static_cast<std::uint64_t>(piece);
      Index position = lines.position, number = lines.number;
      for (int loop = 0; loop < lines.across_count; ++loop) {
        const Index at = take_coordinate(rest, lines.across[loop].count);
        position += at * lines.across[loop].stride;
        number += at * lines.across[loop].number;
      }
      const Index begin = static_cast<Index>(rest) * lines.piece;
      const Index all = begin + lines.piece,
                  end = all < lines.along.count ? all : lines.along.count;
      for (Index i = begin; i < end; ++i) {
        const Number found = numbers[position + i * lines.along.stride];
        const Number expected = random_number<Number>(number + i * lines.along.number, seed);
        const auto* const found_parts = reinterpret_cast<const Part*>(&found);
        const auto* const parts = reinterpret_cast<const Part*>(&expected);
        // NOLINTNEXTLINE(bugprone-sizeof-expression): real numbers have one part
        for (std::size_t part = 0; part < sizeof(Number) / sizeof(Part); ++part) {
          const double exact = parts[part], difference = found_parts[part] - exact;
          sums.re += difference * difference;
          sums.im += exact * exact;
        }
      }
    }
  }
};

/// Adds this thread's share of the exact values of samples: a sum of products of numbers and a
/// factor for each axis. Threads count along axis 0, samples along axis 1.
template <class Number>
struct SampleSum {
  using Factor = Complex<DoubleDouble>;

  const Number* numbers;
  LinePieces lines;
  const Factor* along;   ///< of the elements of a line, for one sample after another
  const Factor* across;  ///< likewise, for each sample those of one axis after another
  Index across_factors;  ///< of a sample
  Index threads;
  Complex<double>* rest;  ///< what sums have beyond double precision

  WEFT_HOST_DEVICE void operator()(Complex<double>& sum, const Point& thread) const {
    const Index sample = thread.index[1];
    const Factor* const along_line = along + sample * lines.along.count;
    Complex<double>& beyond = rest[thread.offset];
    Factor total{{sum.re, beyond.re}, {sum.im, beyond.im}};
    for (Index piece = thread.index[0]; piece < lines.count; piece += threads) {
      auto number = static_cast<std::uint64_t>(piece);
      Index position = lines.position;
      Factor factor{widened(1), widened(0)};
      const Factor* table = across + sample * across_factors;
      for (int loop = 0; loop < lines.across_count; ++loop) {
        const Index at = take_coordinate(number, lines.across[loop].count);
        position += at * lines.across[loop].stride;
        factor *= table[at];
        table += lines.across[loop].count;
      }
      // Along axes that are not transformed, other points than the sample's have no part in it.
      if (factor == Factor{}) continue;
      const Index begin = static_cast<Index>(number) * lines.piece;
      const Index all = begin + lines.piece,
                  end = all < lines.along.count ? all : lines.along.count;
      Factor line{};
      for (Index i = begin; i < end; ++i) {
        line += along_line[i] * widened(numbers[position + i * lines.along.stride]);
      }
      total += factor * line;
    }
    sum = {total.re.high, total.im.high};
    beyond = {total.re.low, total.im.low};
  }
};

}  // namespace weft::detail::functions
