#pragma once

// Passes over planes that apply a callback to the lines which they load, or else store.
#include <cstddef>
#include <type_traits>

#include "weft/kernels/fused_pass.hpp"
#include "weft/kernels/plane_block.hpp"

namespace weft::detail {

namespace {

#if WEFT_IS_CUDA

template <class Real, class First, class Second, class Argument,
          int blocks = std::min(stockham::fused_blocks<Real, typename First::Shape>,
                                stockham::fused_blocks<Real, typename Second::Shape>)>
__global__ void __launch_bounds__(First::Shape::block_threads, blocks)
    transform_planes_and_apply(WEFT_KERNEL_ARGUMENT Argument pass) {
  stockham::transform_plane_block<
      Real, First, Second,
      stockham::are_mixed_planes<typename First::Shape, typename Second::Shape>>(pass);
}

#endif

/// That the arguments of a kernel may take.
inline constexpr std::size_t most_argument_bytes = 4096;

/// How kernels are made for the planes of FusedForms. Complex lines have some only where their axis
/// is known: with a callback they are in planes only if it is on the physical side of a complex
/// transform, and kernels take time to compile. They have none for functions that leave no room for
/// both passes.
template <class Forms, class Lines, bool on_input>
struct FusedPlanes {
  using Argument =
      std::conditional_t<on_input, PlanePass<Lines, LinePass>, PlanePass<LinePass, Lines>>;

  static Argument argument_of(const Lines& lines, const PlanePass<>& planes) {
    if constexpr (on_input) {
      return {planes, lines, planes.second};
    } else {
      return {planes, planes.first, lines};
    }
  }

  /// Null: there is none.
  static const void* kernel_for(const PlanePass<>& planes) {
    const void* kernel = nullptr;
    each_kernel([&](auto first, auto second, const void* made) {
      if (stockham::has_shape(planes.first, first) && stockham::has_shape(planes.second, second)) {
        kernel = made;
      }
    });
    const bool suits = planes.first.form == (on_input ? Forms::form : LineForm::whole) &&
                       planes.second.form == (on_input ? LineForm::whole : Forms::form);
    return suits ? kernel : nullptr;
  }

  /// Calls work(first shape, second shape, kernel) for all.
  template <class Work>
  static void each_kernel([[maybe_unused]] const Work& work) {
#if WEFT_IS_CUDA
    if constexpr (!Forms::is_complex || (Forms::line_axis != PointPlaces::any_axis &&
                                         sizeof(Argument) <= most_argument_bytes)) {
      // Two real numbers count as one.
      constexpr int first_part = Forms::is_complex || on_input ? 1 : 2;
      constexpr int second_part = Forms::is_complex || !on_input ? 1 : 2;
      stockham::each_square_planes<first_part, second_part>(
          typename stockham::KnownShapes<typename Forms::Real>::List{},
          [&](auto first, auto second) { work(first, second, kernel_of(first, second)); });
    }
#endif
  }

 private:
#if WEFT_IS_CUDA
  template <class FirstShape, class SecondShape>
  static const void* kernel_of(FirstShape, SecondShape) {
    using Real = typename Forms::Real;
    using First = stockham::Narrowed<FirstShape, SecondShape>;
    using Second = stockham::Narrowed<SecondShape, FirstShape>;
    using Plain = stockham::PlaneAxis<stockham::WholeLoad<Real>, stockham::WholeStore<Real>,
                                      std::conditional_t<on_input, Second, First>>;
    using Applied = stockham::PlaneAxis<typename Forms::Load, typename Forms::Store,
                                        std::conditional_t<on_input, First, Second>>;
    return reinterpret_cast<const void*>(
        &transform_planes_and_apply<Real, std::conditional_t<on_input, Applied, Plain>,
                                    std::conditional_t<on_input, Plain, Applied>, Argument>);
  }
#endif
};

}  // namespace

}  // namespace weft::detail
