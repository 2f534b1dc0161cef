#pragma once

// Kernels for passes over lines, compiled for each precision on its own, as that takes long.
#include <algorithm>
#include <type_traits>

#include "local/gpu/lines.hpp"
#include "local/line_real_forms.hpp"
#include "weft/kernels/line_teams.hpp"

namespace weft {

namespace {

template <LineForm form, class Real, class Shape>
__device__ void transform_block(const LinePass& pass, const BlockLines& lines) {
  using Forms = stockham::Forms<form, Real>;
  stockham::transform_gpu_block<Real, typename Forms::Load, typename Forms::Store, Shape>(pass,
                                                                                          lines);
}

template <LineForm form, class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_lanes* Shape::line_threads, Shape::blocks)
    transform_known_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, Shape>(pass, {blockIdx.x * Shape::block_lanes, pass.lines});
}

template <LineForm form, class Real>
__global__ void __launch_bounds__(most_line_threads(sizeof(Real) == sizeof(double)))
    transform_any_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, stockham::AnyShape>(pass,
                                                  {blockIdx.x * pass.lanes.count, pass.lines});
}

/// Forms that are used most have kernels for lengths that are.
template <LineForm form, class Real>
Kernel<LinePass> kernel_of(const LinePass& pass) {
  constexpr bool is_usual = form != LineForm::complex && form != LineForm::real_pairs;
  using List = std::conditional_t<is_usual, typename stockham::KnownShapes<Real>::List,
                                  stockham::ShapeList<>>;
  return stockham::with_shape(pass, List{}, [](auto shape) -> Kernel<LinePass> {
    using Shape = decltype(shape);
    if constexpr (Shape::is_fixed) {
      return transform_known_lines<form, Real, Shape>;
    } else {
      return transform_any_lines<form, Real>;
    }
  });
}

#if !defined(WEFT_HIP)

/// A pass over the lines of planes: its form, and its shape.
template <LineForm form_, class Shape_>
struct PlaneAxis {
  static constexpr LineForm form = form_;
  using Shape = Shape_;
  static constexpr int threads = Shape::block_lanes * Shape::line_threads;
};

template <class Real, class First, class Second>
__global__ void __launch_bounds__(First::threads,
                                  std::min(First::Shape::blocks, Second::Shape::blocks))
    transform_planes(WEFT_KERNEL_ARGUMENT PlanePass pass) {
  const PlaneBlock block = plane_block(pass, blockIdx.x);
  if (!block.exists) return;
  std::uint32_t* const finished = pass.finished + block.plane;
  if (block.is_second) {
    if (threadIdx.x == 0) {
      while (*static_cast<const volatile std::uint32_t*>(finished) < pass.first_blocks()) {
        __nanosleep(32);
      }
      __threadfence();
    }
    __syncthreads();
  }
  if constexpr (std::is_same_v<First, Second>) {
    transform_block<First::form, Real, typename First::Shape>(
        block.is_second ? pass.second : pass.first, block.lines);
  } else if (block.is_second) {
    transform_block<Second::form, Real, typename Second::Shape>(pass.second, block.lines);
  } else {
    transform_block<First::form, Real, typename First::Shape>(pass.first, block.lines);
  }
  if (threadIdx.x == 0) {
    __threadfence();
    atomicInc(finished, pass.blocks_of_plane() - 1);
  }
}

/// Null: the compiler does not know both shapes, planes are not square, or one pass would leave
/// threads idle that the other one needs. Numbers of points of lines of the first pass are to those
/// of the second as `first_part` to `second_part`, since two real numbers count as one.
template <class Real, LineForm first, LineForm second, int first_part, int second_part, class First,
          class Second>
Kernel<PlanePass> kernel_of_shapes() {
  if constexpr (First::is_fixed && Second::is_fixed) {
    using A = PlaneAxis<first, First>;
    using B = PlaneAxis<second, Second>;
    if constexpr (First::line_points * second_part == Second::line_points * first_part &&
                  A::threads == B::threads) {
      return transform_planes<Real, A, B>;
    }
  }
  return nullptr;
}

template <class Real, LineForm first, LineForm second, int first_part, int second_part>
Kernel<PlanePass> square_planes_kernel(const PlanePass& pass) {
  using List = typename stockham::KnownShapes<Real>::List;
  return stockham::with_shape(pass.first, List{}, [&](auto one) {
    return stockham::with_shape(pass.second, List{}, [](auto other) {
      return kernel_of_shapes<Real, first, second, first_part, second_part, decltype(one),
                              decltype(other)>();
    });
  });
}

#endif

/// Null: there is none. Blocks must start in the order of their numbers, and loads must see what
/// other blocks have stored, which is known of NVIDIA's GPUs with their own compiler.
template <class Real>
Kernel<PlanePass> planes_kernel_for([[maybe_unused]] const PlanePass& pass) {
#if !defined(WEFT_HIP)
  constexpr LineForm whole = LineForm::whole, from = LineForm::from_packed,
                     to = LineForm::to_packed;
  if (pass.second_form == whole) {
    if (pass.first_form == whole) return square_planes_kernel<Real, whole, whole, 1, 1>(pass);
    if (pass.first_form == from) return square_planes_kernel<Real, from, whole, 1, 2>(pass);
  } else if (pass.first_form == whole && pass.second_form == to) {
    return square_planes_kernel<Real, whole, to, 2, 1>(pass);
  }
#endif
  return nullptr;
}

template <class Real>
Kernel<LinePass> kernel_for(LineForm form, const LinePass& pass) {
  switch (form) {
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
