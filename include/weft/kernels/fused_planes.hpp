#pragma once

// Passes over planes that apply a callback to the lines which they load, or else store.
#include <cstddef>
#include <type_traits>

#include "weft/kernels/fused_access.hpp"
#include "weft/kernels/fused_pass.hpp"
#include "weft/kernels/plane_block.hpp"

namespace weft::detail {

namespace {

#if WEFT_IS_CUDA

template <class Real, class First, class Second, bool mixed, class Argument,
          int blocks = std::min(First::Shape::blocks, Second::Shape::blocks)>
__global__ void __launch_bounds__(First::Shape::block_threads, blocks)
    transform_planes_and_apply(WEFT_KERNEL_ARGUMENT Argument pass) {
  stockham::transform_plane_block<Real, First, Second, mixed>(pass);
}

#endif

/// That the arguments of a kernel may take.
inline constexpr std::size_t most_argument_bytes = 4096;

/// The kernels that apply a callback to lines of planes. Complex lines have some only where their
/// axis is known: with a callback they are in planes only if it is on the physical side of a
/// complex transform, and kernels take time to compile. They have none for functions that leave no
/// room for both passes.
template <class Number, class F, bool on_input>
struct FusedPlanes {
  using Lines = FusedLines<F>;
  using Real = typename PartOfNumber<Number>::type;
  using Argument =
      std::conditional_t<on_input, PlanePass<Lines, LinePass>, PlanePass<LinePass, Lines>>;
  static constexpr bool is_complex = is_complex_number<Number>;

  static Argument argument_of(const Lines& lines, const PlanePass<>& planes) {
    if constexpr (on_input) {
      return {planes, lines, planes.second};
    } else {
      return {planes, planes.first, lines};
    }
  }

  /// Null: there is none.
  static const void* kernel_for(const FusedPass& fused) {
    const PlanePass<>& planes = *fused.planes;
    constexpr LineForm form = form_with_callback<Number, on_input>;
    if (planes.first.form != (on_input ? form : LineForm::whole) ||
        planes.second.form != (on_input ? LineForm::whole : form) || !has_full_blocks(planes)) {
      return nullptr;
    }
    const void* kernel = nullptr;
    each_kernel([&](auto first, auto second, bool mixed, int axis, const void* made) {
      const bool suits =
          stockham::has_shape(planes.first, first) && stockham::has_shape(planes.second, second) &&
          planes.mixed == mixed &&
          (axis == PointPlaces::any_axis || fused.places.has_lines_along(axis, fused.side().step));
      if (suits) kernel = made;
    });
    return kernel;
  }

  /// Calls work(first shape, second shape, whether blocks are mixed, axis, kernel) for all, those
  /// for any axis first.
  template <class Work>
  static void each_kernel([[maybe_unused]] const Work& work) {
#if WEFT_IS_CUDA
    if constexpr (sizeof(Argument) <= most_argument_bytes) {
      // Two real numbers count as one.
      constexpr int first_part = is_complex || on_input ? 1 : 2;
      constexpr int second_part = is_complex || !on_input ? 1 : 2;
      stockham::each_square_planes<first_part, second_part>(
          typename stockham::KnownShapes<Real>::List{},
          [&](auto first, auto second) { enter_shapes(first, second, work); });
    }
#endif
  }

 private:
  /// Lines of the callback are along the last of three axes. Where blocks are mixed, complex
  /// transforms end with the axis before it.
  template <bool mixed>
  static constexpr int usual_axis = is_complex && !on_input && mixed ? 1 : 2;

  /// Half spectra have a line too many for full blocks.
  static constexpr bool has_full_first = is_complex || on_input;
  static constexpr bool has_full_second = is_complex || !on_input;
  static bool has_full_blocks(const PlanePass<>& planes) {
    return (!has_full_first || planes.first_lines % planes.first.lanes.count == 0) &&
           (!has_full_second || planes.second_lines % planes.second.lanes.count == 0);
  }

#if WEFT_IS_CUDA
  template <class First, class Second, class Work>
  static void enter_shapes(First first, Second second, const Work& work) {
    constexpr bool mixed = stockham::are_mixed_planes<First, Second>;
    const auto enter = [&](auto axis) {
      constexpr int number = decltype(axis)::number;
      work(first, second, mixed, number, kernel_of<number, mixed>(first, second));
    };
    if constexpr (!is_complex) enter(stockham::Constant<PointPlaces::any_axis>{});
    enter(stockham::Constant<usual_axis<mixed>>{});
  }

  template <class Shape, class Other, bool is_full>
  using Shared = std::conditional_t<is_full, stockham::FullShape<stockham::Narrowed<Shape, Other>>,
                                    stockham::Narrowed<Shape, Other>>;

  template <int axis, bool mixed, class FirstShape, class SecondShape>
  static const void* kernel_of(FirstShape, SecondShape) {
    using Memory = std::conditional_t<mixed, stockham::StreamMemory, stockham::PlainMemory>;
    using First = Shared<FirstShape, SecondShape, has_full_first>;
    using Second = Shared<SecondShape, FirstShape, has_full_second>;
    // Up to 256 threads at a time have 255 registers each.
    constexpr int room =
        First::block_threads * std::min(First::blocks, Second::blocks) <= 256 ? 16 : 4;
    using Forms = FusedForms<Number, F, on_input, axis, Memory, room>;
    using Outer = stockham::ArrayAccess<Memory>;
    using Inner = stockham::PlainAccess;
    using Plain =
        stockham::PlaneAxis<stockham::WholeLoad<Real, std::conditional_t<on_input, Inner, Outer>>,
                            stockham::WholeStore<Real, std::conditional_t<on_input, Outer, Inner>>,
                            std::conditional_t<on_input, Second, First>>;
    using Applied = stockham::PlaneAxis<typename Forms::Load, typename Forms::Store,
                                        std::conditional_t<on_input, First, Second>>;
    return reinterpret_cast<const void*>(
        &transform_planes_and_apply<Real, std::conditional_t<on_input, Applied, Plain>,
                                    std::conditional_t<on_input, Plain, Applied>, mixed, Argument>);
  }
#endif
};

}  // namespace

}  // namespace weft::detail
