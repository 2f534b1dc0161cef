#pragma once

#include <complex>
#include <concepts>
#include <type_traits>
#include <utility>

#include "weft/point.hpp"

namespace weft {

namespace detail {

/// The type of the parts of a number: float or double. Complex numbers are known by their size, as
/// libraries for devices have types of their own for them.
template <class Number>
struct PartOfNumber {
  static_assert(sizeof(Number) == 8 || sizeof(Number) == 16);
  /// That type.
  using type = std::conditional_t<sizeof(Number) == 8, float, double>;
};
/// A float is its only part.
template <>
struct PartOfNumber<float> {
  /// That type.
  using type = float;
};
/// A double is its only part.
template <>
struct PartOfNumber<double> {
  /// That type.
  using type = double;
};

/// Multiplies a number, whatever its type.
template <class Number>
WEFT_HOST_DEVICE void scale_number(Number& number, double scale) {
  using Part = typename PartOfNumber<Number>::type;
  auto* const parts = reinterpret_cast<Part*>(&number);
  // NOLINTNEXTLINE(bugprone-sizeof-expression): real numbers have one part, of their own type
  for (std::size_t i = 0; i < sizeof(Number) / sizeof(Part); ++i) {
    parts[i] *= static_cast<Part>(scale);
  }
}

/// How a function, which is passed as the address of an object, is applied to blocks in memory of
/// devices. Where something fails, the vendor's text is returned, otherwise null.
struct DeviceCalls {
  /// By the host, for the device `emulated`.
  void (*run)(const void* function, const PointBlock& block);
  /// Loads the kernel into the current GPU; null where no compiler for GPUs has seen the function.
  const char* (*load)();
  /// Puts the kernel into a stream.
  const char* (*launch)(const void* function, const PointBlock& block, void* stream);
};

struct FusedPass;

/// How a pass over lines applies a function as it loads or stores numbers, as DeviceCalls.
struct FusedCalls {
  /// Whether GPUs have a kernel for a pass.
  bool (*takes)(const FusedPass& pass);
  /// By the host, for the device `emulated`.
  void (*run)(const void* function, const FusedPass& pass);
  /// Loads the kernels into the current GPU.
  const char* (*load)();
  /// Puts one into a stream.
  const char* (*launch)(const void* function, const FusedPass& pass, void* stream);
};

/// A function that devices can run, as DeviceFunction: it knows the calls for arrays of T, or none
/// if it turns out that it is for the host, and whether the host can call it.
template <class F>
concept HasDeviceCalls = requires(const F& function) {
  typename F::Function;
  { function.function() } -> std::same_as<const typename F::Function&>;
  { function.is_for_host() } -> std::same_as<bool>;
};

/// Refers to a callable that is applied to every element. It is called through a pointer once for a
/// line of elements, so that the compiler sees the loop and the callable together; for a callable
/// of blocks, and on devices, once for a block.
class PointFunction {
 public:
  PointFunction() = default;  ///< none
  /// Of numbers of type T; the callable must outlive this.
  template <class T, std::invocable<T&, const Point&> F>
  requires(!HasDeviceCalls<F>) static PointFunction of(const F& callable) {
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
  /// Of a function that devices can run.
  template <class T, HasDeviceCalls F>
  static PointFunction of(const F& callable) {
    PointFunction function;
    function.callable_ = &callable.function();
    if (callable.is_for_host()) {
      function.apply_ = &apply<typename F::template Number<T>, typename F::Function>;
    }
    function.device_calls_ = callable.template device_calls<T>();
    return function;
  }

  /// Of a callable that is handed whole blocks, whose values it has to scale too: for functions
  /// that are called at a price. Blocks are as large as the plan's tiles, and lie in one place:
  /// `to` is `from`.
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

  /// Of a function that may be fused with the load, or else the store, of numbers of type T.
  template <class T, bool on_input, class F>
  static PointFunction on_side(const F& callable) {
    PointFunction function = of<T>(callable);
    if constexpr (requires { callable.template fused_calls<T, on_input>(); }) {
      function.fused_calls_ = callable.template fused_calls<T, on_input>();
    }
    return function;
  }

  explicit operator bool() const { return callable_ != nullptr; }  ///< whether there is one
  /// Whether plans on the host can apply it.
  bool is_for_host() const { return apply_ != nullptr || takes_blocks(); }
  /// Whether the host applies it to blocks rather than to lines.
  bool takes_blocks() const { return apply_to_block_ != nullptr; }
  /// Applies it to a line, on the host.
  void operator()(const PointLine& line) const { apply_(callable_, line); }
  /// Applies it to a block, on the host.
  void operator()(const PointBlock& block) const { apply_to_block_(callable_, block); }
  /// How devices apply it; null where they cannot.
  const DeviceCalls* device_calls() const { return device_calls_; }
  /// How passes over lines apply it; null where they cannot.
  const FusedCalls* fused_calls() const { return fused_calls_; }
  /// What DeviceCalls and FusedCalls know it by.
  const void* object() const { return callable_; }

 private:
  template <class T, class F>
  static void apply(const void* callable, const PointLine& line) {
    const F& function = *static_cast<const F*>(callable);
    // Most lines are contiguous in both places, and the compiler can make vectors of those.
    if (line.stride == 1 && line.offset_stride == 1) {
      apply_to_line<T>(function, line, 1, 1);
    } else {
      apply_to_line<T>(function, line, line.stride, line.offset_stride);
    }
  }
  template <class T, class F>
  static void apply_to_line(const F& function, const PointLine& line, Index stride,
                            Index offset_stride) {
    T* const values = reinterpret_cast<T*>(line.values);
    if (line.scale != 1) {
      for (Index i = 0; i < line.count; ++i) scale_number(values[i * stride], line.scale);
    }
    Point point = line.first;
    for (Index i = 0; i < line.count; ++i) {
      point.index[line.axis] = line.first.index[line.axis] + i;
      point.offset = line.first.offset + i * offset_stride;
      function(values[i * stride], static_cast<const Point&>(point));
    }
  }

  const void* callable_ = nullptr;
  void (*apply_)(const void*, const PointLine&) = nullptr;
  void (*apply_to_block_)(const void*, const PointBlock&) = nullptr;
  const DeviceCalls* device_calls_ = nullptr;
  const FusedCalls* fused_calls_ = nullptr;
};

/// The load and store callbacks of a transform: each number is changed after it has been read
/// from the input, or before it is written to the output. The arrays themselves are read and
/// written once, as they are without.
struct PointFunctions {
  PointFunction input;   ///< callback on numbers of the input's type
  PointFunction output;  ///< callback on numbers of the output's type

  explicit operator bool() const { return input || output; }  ///< whether there is any
};

/// A function f(value, point) for numbers of the input, see Plan::forward. `value` refers to a
/// copy: the input stays as it is. Or f(line) for lines of them, a const PointLine&, or f(block)
/// for blocks, a const PointBlock&; these have to multiply the numbers with `scale` first.
template <class F>
struct OnInput {
  F function;  ///< as given to on_input

  /// Enters it among the functions of a transform from arrays of In to arrays of Out.
  template <class In, class Out>
  void add_to(PointFunctions& functions) const {
    functions.input = PointFunction::on_side<In, true>(function);
  }
};
/// A function f(value, point), f(line) or f(block), for numbers of the output; see OnInput.
template <class F>
struct OnOutput {
  F function;  ///< as given to on_output

  /// Enters it among the functions of a transform from arrays of In to arrays of Out.
  template <class In, class Out>
  void add_to(PointFunctions& functions) const {
    functions.output = PointFunction::on_side<Out, false>(function);
  }
};
template <class S>
inline constexpr bool is_point_stage = false;
template <class F>
inline constexpr bool is_point_stage<OnInput<F>> = true;
template <class F>
inline constexpr bool is_point_stage<OnOutput<F>> = true;
/// OnInput or OnOutput.
template <class S>
concept PointStage = is_point_stage<S>;

}  // namespace detail

/// A callback on the input of a transform, for Plan::forward and others: f(value, point) for each
/// number. `value` refers to a copy: the input stays as it is. Or f(line) for lines of numbers, a
/// const PointLine&, or f(block) for blocks of them, a const PointBlock&; these have to multiply
/// the numbers with `scale` first.
template <class F>
detail::OnInput<F> on_input(F function) {
  return {std::move(function)};
}

/// A callback on the output of a transform: f(value, point), f(line) or f(block), as on_input.
template <class F>
detail::OnOutput<F> on_output(F function) {
  return {std::move(function)};
}

}  // namespace weft
