#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <utility>

#include "weft/axes.hpp"

namespace weft {

/// One point of the part of an array that this rank owns.
struct Point {
  Extents index;     ///< in the global array
  Index field = 0;   ///< of a batch; forward_many counts on from field to field
  Index offset = 0;  ///< of the element in the array that was passed to the plan
};

/// Neighbouring elements along one axis, in memory of the plan or of the user.
struct PointLine {
  std::byte* values;    ///< the first one
  Index stride;         ///< in elements
  Index count;          ///< of elements
  Point first;          ///< that the first element belongs to
  int axis;             ///< whose index grows
  Index offset_stride;  ///< by which the offset grows
  double scale;         ///< that the values still have to be multiplied with
};

/// Elements of a box, in memory of the plan or of the user. With a batch the last axis is that of
/// the fields.
struct PointBlock {
  std::byte* values;           ///< the first one
  Axes<Index> strides;         ///< in elements
  Extents extents;             ///< number of elements along each axis
  Extents lower;               ///< index of the first one in the global array
  Index first_field;           ///< its field
  Index offset;                ///< of the first element in the array that was passed to the plan
  Axes<Index> offset_strides;  ///< by which the offset grows along each axis
  double scale;                ///< that the values still have to be multiplied with
};

/// Refers to a callable that is applied to every element. It is called through a pointer once for a
/// line of elements, so that the compiler sees the loop and the callable together, or once for a
/// block.
class PointFunction {
 public:
  PointFunction() = default;  ///< none
  /// Of numbers of type T; the callable must outlive this.
  template <class T, std::invocable<T&, const Point&> F>
  static PointFunction of(const F& callable) {
    PointFunction function;
    function.callable_ = &callable;
    function.apply_ = &apply<T, F>;
    return function;
  }
  /// Of a callable that is handed whole lines, whose values it has to scale too.
  template <class T, std::invocable<const PointLine&> F>
  requires(!std::same_as<F, PointFunction>) static PointFunction of(const F& callable) {
    PointFunction function;
    function.callable_ = &callable;
    function.apply_ = [](const void* lines, const PointLine& line) {
      (*static_cast<const F*>(lines))(line);
    };
    return function;
  }

  /// Of a callable that is handed whole blocks, whose values it has to scale too: for functions
  /// that are called at a price. Blocks are as large as the plan's tiles.
  template <class T, std::invocable<const PointBlock&> F>
  requires(!std::same_as<F, PointFunction>) static PointFunction of(const F& callable) {
    PointFunction function;
    function.callable_ = &callable;
    function.apply_to_block_ = [](const void* blocks, const PointBlock& block) {
      (*static_cast<const F*>(blocks))(block);
    };
    return function;
  }
  /// The same function, whatever it refers to.
  template <class T, std::same_as<PointFunction> F>
  static PointFunction of(const F& function) {
    return function;
  }

  explicit operator bool() const { return callable_ != nullptr; }  ///< whether there is one
  /// Whether it is applied to blocks rather than to lines.
  bool takes_blocks() const { return apply_to_block_ != nullptr; }
  /// Applies it to a line.
  void operator()(const PointLine& line) const { apply_(callable_, line); }
  /// Applies it to a block.
  void operator()(const PointBlock& block) const { apply_to_block_(callable_, block); }

 private:
  template <class T>
  static T real_of(T);
  template <class T>
  static T real_of(std::complex<T>);

  template <class T, class F>
  static void apply(const void* callable, const PointLine& line) {
    const F& function = *static_cast<const F*>(callable);
    T* value = reinterpret_cast<T*>(line.values);
    const auto scale = static_cast<decltype(real_of(T{}))>(line.scale);
    Point point = line.first;
    for (Index i = 0; i < line.count; ++i) {
      if (scale != 1) *value *= scale;
      function(*value, static_cast<const Point&>(point));
      value += line.stride;
      ++point.index[line.axis];
      point.offset += line.offset_stride;
    }
  }

  const void* callable_ = nullptr;
  void (*apply_)(const void*, const PointLine&) = nullptr;
  void (*apply_to_block_)(const void*, const PointBlock&) = nullptr;
};

/// What is done to the numbers of a transform on their way: each is changed after it has been read
/// from the input, or before it is written to the output. The arrays themselves are read and
/// written once, as they are without.
struct PointFunctions {
  PointFunction input;   ///< of numbers of the input's type
  PointFunction output;  ///< of numbers of the output's type

  explicit operator bool() const { return input || output; }  ///< whether there is any
};

/// A function f(value, point) for numbers of the input, see Plan::forward. `value` refers to a
/// copy: the input stays as it is. Or f(line) for lines of them, a const PointLine&, or f(block)
/// for blocks, a const PointBlock&.
template <class F>
struct OnInput {
  F function;  ///< as given to on_input

  /// Enters it among the functions of a transform from arrays of In to arrays of Out.
  template <class In, class Out>
  void add_to(PointFunctions& functions) const {
    functions.input = PointFunction::of<In>(function);
  }
};
/// For Plan::forward and others: f(value, point), f(line) or f(block), for numbers of the input.
template <class F>
OnInput<F> on_input(F function) {
  return {std::move(function)};
}

/// A function f(value, point), f(line) or f(block), for numbers of the output.
template <class F>
struct OnOutput {
  F function;  ///< as given to on_output

  /// Enters it among the functions of a transform from arrays of In to arrays of Out.
  template <class In, class Out>
  void add_to(PointFunctions& functions) const {
    functions.output = PointFunction::of<Out>(function);
  }
};
/// For Plan::forward and others: f(value, point), f(line) or f(block), for numbers of the output.
template <class F>
OnOutput<F> on_output(F function) {
  return {std::move(function)};
}

/// @cond
template <class S>
inline constexpr bool is_point_stage = false;
template <class F>
inline constexpr bool is_point_stage<OnInput<F>> = true;
template <class F>
inline constexpr bool is_point_stage<OnOutput<F>> = true;
/// @endcond
/// OnInput or OnOutput.
template <class S>
concept PointStage = is_point_stage<S>;

}  // namespace weft
