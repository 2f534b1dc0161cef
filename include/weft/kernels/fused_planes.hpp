#pragma once

// Passes over planes that apply a callback to the lines which they load, or else store.
#include <cstddef>
#include <type_traits>

#include "weft/kernels/fused_access.hpp"
#include "weft/kernels/fused_pass.hpp"
#include "weft/kernels/plane_block.hpp"
#include "weft/kernels/planned_shape.hpp"

namespace weft::detail {

namespace {

#if WEFT_IS_CUDA

template <class Real, class First, class Second, bool mixed, class Argument,
          int blocks = std::min(First::Shape::blocks, Second::Shape::blocks)>
__global__ void __launch_bounds__(whole_warps(First::Shape::block_threads), blocks)
    transform_planes_and_apply(WEFT_KERNEL_ARGUMENT Argument pass) {
  stockham::transform_plane_block<Real, First, Second, mixed>(pass);
}

#endif

/// Calls work(first, second) for those among the shapes listed that can share blocks of threads.
template <class... Firsts, class Seconds, class Work>
void each_pair(stockham::ShapeList<Firsts...>, Seconds seconds, const Work& work) {
  const auto with = [&]<class First>(First first) {
    stockham::each_shape(seconds, [&]<class Second>(Second second) {
      if constexpr (can_share_blocks(First::block_lanes, First::block_threads, Second::block_lanes,
                                     Second::block_threads)) {
        work(first, second);
      }
    });
  };
  (with(Firsts{}), ...);
}

/// The kernels that apply a callback to lines of planes. Complex lines have some only where their
/// axis is known: with a callback they are in planes only if it is on the physical side of a
/// complex transform, and kernels take time to compile. They have none for functions that leave no
/// room for both passes.
template <class Number, class F, bool on_input, int... lengths>
struct FusedPlanes {
  using Lines = FusedLines<F>;
  using Real = typename PartOfNumber<Number>::type;
  using Argument =
      std::conditional_t<on_input, PlanePass<Lines, LinePass>, PlanePass<LinePass, Lines>>;
  static constexpr bool is_complex = is_complex_number<Number>;
  static constexpr LineForm form = form_with_callback<Number, on_input>;
  static constexpr LineForm first_form = on_input ? form : LineForm::whole;
  static constexpr LineForm second_form = on_input ? LineForm::whole : form;

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
    if (planes.first.form != first_form || planes.second.form != second_form) return nullptr;
    const void* kernel = nullptr;
    each_pair_of_axes([&]<class First, class Second>(First first, Second second) {
      using Plane = PlaneOf<First, Second>;
      if (!stockham::has_shape(planes.first, first) ||
          !stockham::has_shape(planes.second, second) || planes.mixed != Plane::is_mixed ||
          (Plane::has_full_first && planes.first_lines % First::block_lanes != 0) ||
          (Plane::has_full_second && planes.second_lines % Second::block_lanes != 0)) {
        return;
      }
      each_kernel<First, Second>([&](int axis, const void* made) {
        if (fused.has_lines_along(axis)) kernel = made;
      });
    });
    return kernel;
  }

  /// Calls work(kernel) for all.
  template <class Work>
  static void each_kernel(const Work& work) {
    each_pair_of_axes([&]<class First, class Second>(First, Second) {
      each_kernel<First, Second>([&](int, const void* kernel) { work(kernel); });
    });
  }

 private:
  /// Planes with lines of such shapes. Half spectra have a line more than there are points of the
  /// lines across.
  template <class First, class Second>
  struct PlaneOf {
    static constexpr int first_lines = Second::line_points + (is_complex || on_input ? 0 : 1);
    static constexpr int second_lines = First::line_points + (is_complex || !on_input ? 0 : 1);
    static constexpr bool has_full_first = first_lines % First::block_lanes == 0;
    static constexpr bool has_full_second = second_lines % Second::block_lanes == 0;
    static constexpr int blocks =
        (first_lines - 1) / First::block_lanes + (second_lines - 1) / Second::block_lanes + 2;
    static constexpr bool is_mixed = blocks >= static_cast<int>(blocks_to_mix);
    /// Larger ones do not stay in the caches of GPUs.
    static constexpr bool is_small =
        std::size_t{First::line_points} * Second::line_points * 2 * sizeof(Real) <=
        (std::size_t{32} << 20);
    static constexpr bool is_square = First::line_points * stockham::axis_numbers(first_form) ==
                                      Second::line_points * stockham::axis_numbers(second_form);
  };

  /// Calls work(shape, shape) for the lines of planes that there are kernels for: of lengths that
  /// the caller names, or of the usual ones those of squares.
  template <class Work>
  static void each_pair_of_axes([[maybe_unused]] const Work& work) {
#if WEFT_IS_CUDA
    if constexpr (sizeof(Argument) <= most_argument_bytes) {
      each_pair(stockham::ShapesOfAxes<Real, first_form, lengths...>{},
                stockham::ShapesOfAxes<Real, second_form, lengths...>{},
                [&]<class First, class Second>(First first, Second second) {
                  using Plane = PlaneOf<First, Second>;
                  constexpr bool is_named = sizeof...(lengths) > 0;
                  if constexpr (!First::is_wide && !Second::is_wide && Plane::is_small &&
                                (is_named || Plane::is_square)) {
                    work(first, second);
                  }
                });
    }
#endif
  }

  /// Calls work(axis, kernel) for lines of the callback along any axis, if there is a kernel for
  /// these, and then along the axis that they usually have: the last of three, but where blocks are
  /// mixed, complex transforms end with the axis before it.
  template <class First, class Second, class Work>
  static void each_kernel([[maybe_unused]] const Work& work) {
#if WEFT_IS_CUDA
    constexpr bool ends_before = is_complex && !on_input && PlaneOf<First, Second>::is_mixed;
    constexpr int usual_axis = ends_before ? 1 : 2;
    if constexpr (!is_complex) {
      work(PointPlaces::any_axis, kernel_of<PointPlaces::any_axis, First, Second>());
    }
    work(usual_axis, kernel_of<usual_axis, First, Second>());
#endif
  }

#if WEFT_IS_CUDA
  template <class Shape, class Other, bool is_full>
  using Shared = std::conditional_t<is_full, stockham::FullShape<stockham::Narrowed<Shape, Other>>,
                                    stockham::Narrowed<Shape, Other>>;

  template <int axis, class FirstShape, class SecondShape>
  static const void* kernel_of() {
    using Plane = PlaneOf<FirstShape, SecondShape>;
    constexpr bool mixed = Plane::is_mixed;
    using Memory = std::conditional_t<mixed, stockham::StreamMemory, stockham::PlainMemory>;
    using First = Shared<FirstShape, SecondShape, Plane::has_full_first>;
    using Second = Shared<SecondShape, FirstShape, Plane::has_full_second>;
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
