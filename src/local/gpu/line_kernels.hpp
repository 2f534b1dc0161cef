#pragma once

// Kernels for passes over lines, compiled for each precision on its own, as that takes long.
#include "local/gpu/lines.hpp"
#include "local/line_block.hpp"

namespace weft {

namespace {

struct GpuTeam {
  std::uint32_t threads;

  template <class Work>
  __device__ void phase(const Work& work) const {
    if (threadIdx.x < threads) work(stockham::LineThread{blockIdx.x, threadIdx.x});
    __syncthreads();
  }
};

template <LineForm form, class Real, class Shape>
__device__ void transform_block(const LinePass& pass) {
  extern __shared__ double2 memory[];
  using Forms = stockham::Forms<form, Real>;
  stockham::transform_block<Shape, Real, typename Forms::Load, typename Forms::Store>(
      pass, GpuTeam{Shape::lanes(pass) * Shape::threads(pass)},
      reinterpret_cast<stockham::Complex<Real>*>(memory));
}

template <LineForm form, class Real, class Shape>
__global__ void __launch_bounds__(Shape::block_lanes* Shape::line_threads, Shape::blocks)
    transform_known_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, Shape>(pass);
}

template <LineForm form, class Real>
__global__ void __launch_bounds__(most_line_threads(sizeof(Real) == sizeof(double)))
    transform_any_lines(WEFT_KERNEL_ARGUMENT LinePass pass) {
  transform_block<form, Real, stockham::AnyShape>(pass);
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
