#pragma once

// Kernels for passes over lines, compiled for each precision on its own, as that takes long.
#include "local/gpu/lines.hpp"
#include "local/line_block.hpp"

namespace weft {

namespace {

struct GpuTeam {
  std::uint32_t block;
  std::uint32_t threads;

  template <class Work>
  __device__ void phase(const Work& work) const {
    if (threadIdx.x < threads) work(stockham::LineThread{block, threadIdx.x});
    __syncthreads();
  }
};

template <LineForm form, class Real, class Shape>
__device__ void transform_block(const LinePass& pass, std::uint32_t block) {
  extern __shared__ double2 memory[];
  using Forms = stockham::Forms<form, Real>;
  stockham::transform_block<Shape, Real, typename Forms::Load, typename Forms::Store>(
      pass, GpuTeam{block, Shape::lanes(pass) * Shape::threads(pass)},
      reinterpret_cast<stockham::Complex<Real>*>(memory));
}

template <LineForm form, class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_lanes* Shape::line_threads, Shape::blocks)
    transform_known_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, Shape>(pass, blockIdx.x);
}

template <LineForm form, class Real>
__global__ void __launch_bounds__(most_line_threads(sizeof(Real) == sizeof(double)))
    transform_any_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, stockham::AnyShape>(pass, blockIdx.x);
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

template <class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_lanes* Shape::line_threads, Shape::blocks)
    transform_planes(WEFT_KERNEL_ARGUMENT PlanePass pass) {
  const PlaneBlock block = plane_block(pass, blockIdx.x);
  if (!block.exists) return;
  std::uint32_t* const finished = pass.finished + block.plane;
  if (block.is_second) {
    if (threadIdx.x == 0) {
      while (*static_cast<const volatile std::uint32_t*>(finished) < pass.first_blocks) {
        __nanosleep(32);
      }
      __threadfence();
    }
    __syncthreads();
  }
  transform_block<LineForm::whole, Real, Shape>(block.is_second ? pass.second : pass.first,
                                                block.number);
  if (threadIdx.x == 0) {
    __threadfence();
    atomicInc(finished, pass.first_blocks + pass.second_blocks - 1);
  }
}

#endif

/// Null: there is none. Blocks must start in the order of their numbers, and loads must see what
/// other blocks have stored, which is known of NVIDIA's GPUs with their own compiler.
template <class Real>
Kernel<PlanePass> planes_kernel_for([[maybe_unused]] const PlanePass& pass) {
#if defined(WEFT_HIP)
  return nullptr;
#else
  const LinePass &first = pass.first, &second = pass.second;
  if (first.points != second.points || first.lanes.count != second.lanes.count ||
      first.threads.count != second.threads.count) {
    return nullptr;
  }
  return stockham::with_shape(first, typename stockham::KnownShapes<Real>::List{},
                              [](auto shape) -> Kernel<PlanePass> {
                                using Shape = decltype(shape);
                                if constexpr (Shape::is_fixed) {
                                  return transform_planes<Real, Shape>;
                                } else {
                                  return nullptr;
                                }
                              });
#endif
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
