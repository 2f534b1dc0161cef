#pragma once

// Kernels for passes over lines, compiled for each precision on its own, as that takes long.
#include <algorithm>
#include <type_traits>

#include "local/gpu/lines.hpp"
#include "local/line_real_forms.hpp"
#include "weft/kernels/fetched_lines.hpp"
#include "weft/kernels/line_teams.hpp"
#include "weft/kernels/plane_block.hpp"

namespace weft {

namespace {

template <LineForm form, class Real, class Shape>
[[gnu::always_inline]] __device__ inline void transform_block(const LinePass& pass,
                                                              const BlockLines& lines) {
  using Forms = stockham::Forms<form, Real>;
  stockham::transform_gpu_block<Real, typename Forms::Load, typename Forms::Store, Shape>(pass,
                                                                                          lines);
}

template <LineForm form, class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_threads, Shape::blocks)
    transform_known_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, Shape>(pass, {blockIdx.x * Shape::block_lanes, pass.lines});
}

template <LineForm form, class Real>
__global__ void __launch_bounds__(most_line_threads(sizeof(Real) == sizeof(double)))
    transform_any_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, stockham::AnyShape>(pass,
                                                  {blockIdx.x * pass.lanes.count, pass.lines});
}

#if WEFT_IS_CUDA

template <class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_threads, Shape::blocks)
    transform_fetched_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  stockham::transform_fetched_blocks<Real, stockham::WholeLoad<Real>, stockham::WholeStore<Real>,
                                     Shape>(pass);
}

#else

/// No block lasts.
template <class Real, class Shape>
constexpr Kernel<LinePass> transform_fetched_lines = nullptr;

#endif

/// Forms that are used most have kernels for lengths that are.
template <LineForm form, class Real>
Kernel<LinePass> kernel_of(const LinePass& pass) {
  using List = stockham::ShapesOf<Real, form>;
  return stockham::with_shape(pass, List{}, [](auto shape) -> Kernel<LinePass> {
    using Shape = decltype(shape);
    if constexpr (Shape::is_wide) {
      return transform_fetched_lines<Real, Shape>;
    } else if constexpr (Shape::is_fixed) {
      return transform_known_lines<form, Real, Shape>;
    } else {
      return transform_any_lines<form, Real>;
    }
  });
}

#if WEFT_IS_CUDA

template <class Real, class First, class Second>
__global__ void __launch_bounds__(First::Shape::block_threads,
                                  std::min(First::Shape::blocks, Second::Shape::blocks))
    transform_planes(WEFT_KERNEL_ARGUMENT PlanePass<> pass) {
  stockham::transform_plane_block<Real, First, Second>(pass);
}

template <class Real, LineForm first, LineForm second, int first_part, int second_part>
Kernel<PlanePass<>> planes_kernel_of(const PlanePass<>& pass) {
  using First = stockham::Forms<first, Real>;
  using Second = stockham::Forms<second, Real>;
  Kernel<PlanePass<>> kernel = nullptr;
  stockham::each_square_planes<first_part, second_part>(
      typename stockham::KnownShapes<Real>::List{}, [&](auto one, auto other) {
        if (!stockham::has_shape(pass.first, one) || !stockham::has_shape(pass.second, other)) {
          return;
        }
        using One = stockham::Narrowed<decltype(one), decltype(other)>;
        using Other = stockham::Narrowed<decltype(other), decltype(one)>;
        using Access =
            std::conditional_t<stockham::are_mixed_planes<decltype(one), decltype(other)>,
                               stockham::StreamAccess, stockham::PlainAccess>;
        using Load = stockham::WholeLoad<Real, Access>;
        using Store = stockham::WholeStore<Real, Access>;
        kernel = transform_planes<Real, stockham::PlaneAxis<Load, typename First::Store, One>,
                                  stockham::PlaneAxis<typename Second::Load, Store, Other>>;
      });
  return kernel;
}

#endif

/// Null: there is none.
template <class Real>
Kernel<PlanePass<>> planes_kernel_for([[maybe_unused]] const PlanePass<>& pass) {
#if WEFT_IS_CUDA
  constexpr LineForm whole = LineForm::whole, from = LineForm::from_packed,
                     to = LineForm::to_packed;
  if (pass.second.form == whole) {
    if (pass.first.form == whole) return planes_kernel_of<Real, whole, whole, 1, 1>(pass);
    if (pass.first.form == from) return planes_kernel_of<Real, from, whole, 1, 2>(pass);
  } else if (pass.first.form == whole && pass.second.form == to) {
    return planes_kernel_of<Real, whole, to, 2, 1>(pass);
  }
#endif
  return nullptr;
}

template <class Real>
Kernel<LinePass> kernel_for(const LinePass& pass) {
  switch (pass.form) {
    case LineForm::whole:
      return kernel_of<LineForm::whole, Real>(pass);
    case LineForm::complex:
      return kernel_of<LineForm::complex, Real>(pass);
    case LineForm::from_packed:
      return kernel_of<LineForm::from_packed, Real>(pass);
    case LineForm::to_packed:
      return kernel_of<LineForm::to_packed, Real>(pass);
    case LineForm::from_reals:
      return kernel_of<LineForm::from_reals, Real>(pass);
    case LineForm::to_reals:
      return kernel_of<LineForm::to_reals, Real>(pass);
    default:
      return kernel_of<LineForm::real_pairs, Real>(pass);
  }
}

}  // namespace

}  // namespace weft
