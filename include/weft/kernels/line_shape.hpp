#pragma once

// How a block of threads shares lines, and where the numbers of a line stand in its buffer between
// stages: as a pass says, on the host, or as the compiler knows.
#include <algorithm>
#include <type_traits>

#include "weft/kernels/inline.hpp"
#include "weft/kernels/line_pass.hpp"
#include "weft/kernels/numbers.hpp"

namespace weft::stockham {

namespace {

/// Which stage of a transform: the first one reads the array, the last one writes it.
enum class Role { first, middle, last };

/// A stage of a pass.
template <Role role>
struct AnyStage {
  static constexpr bool is_first = role == Role::first, is_last = role == Role::last;

  const LineStage& stage;

  WEFT_INLINE std::uint32_t butterflies() const { return stage.butterflies.count; }
  WEFT_INLINE std::uint32_t leg() const { return stage.leg; }
  WEFT_INLINE std::uint32_t row(std::uint32_t butterfly) const {
    return is_first ? butterfly : static_cast<std::uint32_t>(stage.first_row[butterfly]);
  }
  /// Of a number before the first stage, or after the last one.
  WEFT_INLINE std::uint32_t row_of(std::uint32_t number) const {
    std::uint32_t result = number;
    const std::uint32_t butterfly = take(result, stage.butterflies);
    return row(butterfly) + result * stage.leg;
  }
};

/// Rows of the buffer of a line that has so many: the same rows of several lines, and where a block
/// has few lines, their neighbors too, are in different banks of shared memory.
constexpr int pitch_of(int rows, int lanes) {
  const int distance = lanes > 0 && lanes < 8 ? 8 / lanes : 1;
  return ((rows + distance - 1) / distance | 1) * distance;
}

/// All from the pass.
struct AnyShape {
  static constexpr bool is_fixed = false;
  static constexpr bool is_full = false;
  static constexpr bool is_wide = false;
  static constexpr std::uint32_t row_distance = 1;

  WEFT_INLINE static std::uint32_t points(const LinePass& pass) { return pass.points; }
  WEFT_INLINE static std::uint32_t lanes(const LinePass& pass) { return pass.lanes.count; }
  WEFT_INLINE static std::uint32_t threads(const LinePass& pass) { return pass.threads.count; }
  WEFT_INLINE static std::uint32_t lane_distance(const LinePass& pass) { return pass.pitch; }
  /// Divides, and returns the remainder.
  WEFT_INLINE static std::uint32_t take_lane(const LinePass& pass, std::uint32_t& number) {
    return take(number, pass.lanes);
  }
  WEFT_INLINE static std::uint32_t take_thread(const LinePass& pass, std::uint32_t& number) {
    return take(number, pass.threads);
  }
};

template <int... radices>
WEFT_HOST_DEVICE constexpr int radix_at(int number) {
  const int all[] = {radices...};
  return all[number];
}

/// Lines of a block, threads of a line and radices that the compiler knows, and how many blocks at
/// a time a processor must have registers for.
template <int lanes_, int threads_, int blocks_, int... radices>
struct FixedShape {
  static constexpr bool is_fixed = true;
  static constexpr int stages = sizeof...(radices);
  static constexpr int block_lanes = lanes_, line_threads = threads_, blocks = blocks_;
  static constexpr bool is_wide = false;
  static constexpr bool is_full = false;  ///< whether each block has as many lines as it takes
  static constexpr std::uint32_t row_distance = 1;  ///< between rows of a line
  static constexpr int block_threads = lanes_ * threads_;
  static constexpr int line_points = (1 * ... * radices);
  static constexpr int first_leg = (line_points / radix_at<radices...>(0)) | 1;
  static constexpr int line_pitch = pitch_of(first_leg * radix_at<radices...>(0), lanes_);

  template <int threads>
  using WithThreads = FixedShape<lanes_, threads, blocks_, radices...>;

  WEFT_HOST_DEVICE static constexpr int radix(int number) { return radix_at<radices...>(number); }
  /// Of a block before a stage.
  WEFT_HOST_DEVICE static constexpr int length(int number) {
    int result = line_points;
    for (int i = 0; i < number; ++i) result /= radix(i);
    return result;
  }

  WEFT_INLINE static constexpr std::uint32_t points(const LinePass&) { return line_points; }
  WEFT_INLINE static constexpr std::uint32_t lanes(const LinePass&) { return lanes_; }
  WEFT_INLINE static constexpr std::uint32_t threads(const LinePass&) { return threads_; }
  WEFT_INLINE static constexpr std::uint32_t lane_distance(const LinePass&) { return line_pitch; }
  WEFT_INLINE static std::uint32_t take_lane(const LinePass&, std::uint32_t& number) {
    return take_of(number, static_cast<std::uint32_t>(lanes_));
  }
  WEFT_INLINE static std::uint32_t take_thread(const LinePass&, std::uint32_t& number) {
    return take_of(number, static_cast<std::uint32_t>(threads_));
  }

 private:
  WEFT_INLINE static std::uint32_t take_of(std::uint32_t& number, std::uint32_t count) {
    const std::uint32_t rest = number % count;
    number /= count;
    return rest;
  }
};

/// One block at a time, of many lines that are neighbors in memory. A row of a line is next to the
/// same rows of the others, as it is there: copies are fast then.
template <int lanes_, int threads_, int... radices>
struct WideShape : FixedShape<lanes_, threads_, 1, radices...> {
  static constexpr bool is_wide = true;
  static constexpr std::uint32_t row_distance = lanes_;

  WEFT_INLINE static constexpr std::uint32_t lane_distance(const LinePass&) { return 1; }
};

/// Blocks at a time, of as many as the 65,536 registers of a processor suffice for where threads
/// also look up pieces: about twice those that the numbers of lines take (two H200, 600
/// points: 1.11 of the time with as many as a shape has).
template <class Real, class Shape>
constexpr int blocks_with_pieces = std::clamp(
    static_cast<int>(65536.0 / (Shape::block_lanes * Shape::line_points * sizeof(Real)) + 0.5), 1,
    Shape::blocks);

/// The same where they apply a callback. Only in lines of two stages do threads have all of their
/// numbers in registers (H200, 480 points with three stages: 1.10 with two blocks for three).
template <class Real, class Shape>
constexpr int blocks_with_callback =
    Shape::stages > 2 ? Shape::blocks : blocks_with_pieces<Real, Shape>;

/// Of blocks that all have as many lines as they take: threads need no branches for those without,
/// between which a callback would have to keep its registers.
template <class Shape>
struct FullShape : Shape {
  static constexpr bool is_full = true;
};

template <class Shape, int number>
struct FixedStage {
  const LineStage& stage;

  static constexpr bool is_first = number == 0, is_last = number + 1 == Shape::stages;
  static constexpr std::uint32_t radix = Shape::radix(number);
  static constexpr std::uint32_t inner = Shape::length(number + 1);
  static constexpr std::uint32_t count = Shape::line_points / Shape::radix(number);

  WEFT_INLINE static constexpr std::uint32_t butterflies() { return count; }
  WEFT_INLINE static constexpr std::uint32_t leg() {
    return number == 0 ? Shape::first_leg : inner;
  }
  /// As LinePlan lists them.
  WEFT_INLINE static std::uint32_t row(std::uint32_t butterfly) {
    if constexpr (number == 0) {
      return butterfly;
    } else if constexpr (number + 1 == Shape::stages) {
      std::uint32_t result = 0;
      unrolled<number>([&](auto digit) {
        constexpr int i = decltype(digit)::number;
        constexpr std::uint32_t base = Shape::radix(i);
        constexpr std::uint32_t distance = i == 0 ? Shape::first_leg : Shape::length(i + 1);
        result += butterfly % base * distance;
        butterfly /= base;
      });
      return result;
    } else {
      constexpr std::uint32_t of_leg = count / Shape::radix(0);
      const std::uint32_t inside = butterfly % of_leg;
      return butterfly / of_leg * Shape::first_leg + inside / inner * (radix * inner) +
             inside % inner;
    }
  }
  WEFT_INLINE static std::uint32_t row_of(std::uint32_t number_of_line) {
    return row(number_of_line % count) + number_of_line / count * leg();
  }
};

template <class... Shapes>
struct ShapeList {};

/// Shapes of lengths that are used most, as was measured on an H200: of whole and of packed lines,
/// and of pairs of real ones. Where two stages do, threads have up to 32 numbers each, and exchange
/// them once. Pairs of real lines were faster with three stages and more threads.
template <class Real>
struct KnownShapes;
template <>
struct KnownShapes<double> {
  template <class... More>
  using And = ShapeList<FixedShape<32, 8, 2, 8, 8>, FixedShape<32, 8, 2, 8, 16>,
                        FixedShape<16, 16, 2, 16, 16>, FixedShape<16, 12, 3, 4, 6, 8>,
                        FixedShape<8, 24, 2, 6, 8, 8>, More...>;
  template <class... More>
  using AndLong = And<FixedShape<8, 16, 2, 16, 32>, FixedShape<4, 32, 2, 32, 32>, More...>;
  using FromPacked = AndLong<FixedShape<8, 25, 2, 20, 25>>;
  using ToPacked = AndLong<>;  // in planes 500 points took 1.05 of the time with two stages
  using AndWide = AndLong<WideShape<16, 16, 16, 32>>;
  using OfPairs = And<FixedShape<8, 32, 2, 8, 8, 8>, FixedShape<4, 64, 2, 8, 8, 16>>;
};
template <>
struct KnownShapes<float> {
  template <class... More>
  using And = ShapeList<FixedShape<32, 8, 4, 8, 8>, FixedShape<32, 8, 4, 8, 16>,
                        FixedShape<16, 16, 4, 16, 16>, FixedShape<32, 12, 3, 4, 6, 8>,
                        FixedShape<16, 24, 3, 6, 8, 8>, More...>;
  template <class... More>
  using AndLong = And<FixedShape<16, 16, 3, 16, 32>, FixedShape<8, 32, 2, 32, 32>, More...>;
  using FromPacked = AndLong<FixedShape<4, 25, 6, 20, 25>>;
  using ToPacked = FromPacked;
  using AndWide = AndLong<WideShape<32, 16, 16, 32>>;
  using OfPairs = And<FixedShape<16, 32, 2, 8, 8, 8>, FixedShape<8, 64, 2, 8, 8, 16>>;
};

constexpr bool is_of_whole_lines(LineForm form) {
  return form == LineForm::whole || form == LineForm::from_packed || form == LineForm::to_packed;
}

/// Those of lines of a form, as a list.
template <class Real, LineForm form>
auto known_shapes() {
  using Known = KnownShapes<Real>;
  if constexpr (form == LineForm::whole) {
    return typename Known::AndWide{};
  } else if constexpr (form == LineForm::from_packed) {
    return typename Known::FromPacked{};
  } else if constexpr (form == LineForm::to_packed) {
    return typename Known::ToPacked{};
  } else if constexpr (form == LineForm::from_reals || form == LineForm::to_reals) {
    return typename Known::OfPairs{};
  } else {
    return ShapeList<>{};
  }
}
template <class Real, LineForm form>
using ShapesOf = decltype(known_shapes<Real, form>());

/// Calls work(shape) for each.
template <class... Shapes, class Work>
void each_shape(ShapeList<Shapes...>, const Work& work) {
  (work(Shapes{}), ...);
}

template <class Shape>
bool has_shape(const LinePass& pass, Shape) {
  bool same = pass.stages == Shape::stages && pass.lanes.count == Shape::block_lanes &&
              pass.threads.count == Shape::line_threads;
  for (int i = 0; same && i < Shape::stages; ++i) {
    same = pass.stage[i].radix == static_cast<std::uint32_t>(Shape::radix(i));
  }
  return same;
}

/// What work(shape) returns for the shape of a pass: one of the list, else any.
template <class... Shapes, class Work>
auto with_shape(const LinePass& pass, ShapeList<Shapes...>, const Work& work) {
  decltype(work(AnyShape{})) result{};
  [[maybe_unused]] const auto try_shape = [&](auto shape) {
    if (!has_shape(pass, shape)) return false;
    result = work(shape);
    return true;
  };
  if (!(try_shape(Shapes{}) || ...)) result = work(AnyShape{});
  return result;
}

}  // namespace

}  // namespace weft::stockham
