#pragma once

// Passes over lines that apply a callback as they load or store numbers.
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "weft/kernels/emulated_team.hpp"
#include "weft/kernels/fetched_lines.hpp"
#include "weft/kernels/fused_access.hpp"
#include "weft/kernels/fused_planes.hpp"
#include "weft/kernels/gpu_runtime.hpp"

namespace weft::detail {

namespace {

#if defined(__CUDACC__) || defined(__HIPCC__)

template <class Forms, class Shape, class Argument,
          int blocks = stockham::blocks_with_callback<typename Forms::Real, Shape>>
__global__ void __launch_bounds__(whole_warps(Shape::block_threads), blocks)
    transform_lines_and_apply(WEFT_KERNEL_ARGUMENT Argument pass) {
  stockham::transform_gpu_block<typename Forms::Real, typename Forms::Load, typename Forms::Store,
                                Shape>(pass, {blockIdx.x * Shape::block_lanes, pass.lines});
}

#if WEFT_IS_CUDA

template <class Forms, class Shape, class Argument>
__global__ void __launch_bounds__(Shape::block_threads, 1)
    fetch_lines_and_apply(WEFT_KERNEL_ARGUMENT Argument pass) {
  stockham::transform_fetched_blocks<typename Forms::Real, typename Forms::Load,
                                     typename Forms::Store, Shape>(pass);
}

#endif

#endif

/// Whether a list has a wide shape of the same length.
template <class Shape, class... Listed>
constexpr bool has_wider(stockham::ShapeList<Listed...>) {
  return !Shape::is_wide && ((Listed::is_wide && Listed::line_points == Shape::line_points) || ...);
}

}  // namespace

/// A function F for numbers of one type, fused with loads or stores: of axes of these lengths, or
/// of the usual ones.
template <class Number, class F, bool on_input, bool seen_by_gpu, int... lengths>
struct FusedKernel {
  using Real = typename PartOfNumber<Number>::type;
  using Lines = FusedLines<F>;
  template <int axis>
  using Forms = FusedForms<Number, F, on_input, axis, stockham::PlainMemory, 16>;
  using Planes = FusedPlanes<Number, F, on_input, lengths...>;

  static_assert(sizeof(Lines) <= most_argument_bytes,
                "arguments of kernels have no room for this function");

  static Lines lines_of(const void* function, const FusedPass& fused) {
    Lines lines{*fused.pass, fused.places, *static_cast<const F*>(function)};
    lines.places.follow_lines(fused.side().step);
    return lines;
  }
  template <class Load, class Store>
  static void run_lines(const Lines& pass) {
    for (std::uint64_t line = 0; line < pass.lines; line += pass.lanes.count) {
      stockham::emulate_block<stockham::ShapeList<>, Real, Load, Store>(
          pass, {static_cast<std::uint32_t>(line), pass.lines});
    }
  }
  /// Where time does not matter, of lines along any axis.
  static void run(const void* function, const FusedPass& fused) {
    using LineForms = Forms<PointPlaces::any_axis>;
    const Lines lines = lines_of(function, fused);
    if constexpr (LineForms::is_complex) {
      run_lines<typename LineForms::AnyLoad, typename LineForms::AnyStore>(lines);
    } else {
      run_lines<typename LineForms::Load, typename LineForms::Store>(lines);
    }
  }

#if defined(__CUDACC__) || defined(__HIPCC__)
  static constexpr LineForm form = form_with_callback<Number, on_input>;
  using Shapes = stockham::ShapesOfAxes<Real, form, lengths...>;

  /// Whether there is a kernel for lines along one of three axes. Most outside of planes are along
  /// the last one in physical space, where all real ones are, and along the first one in the space
  /// of coefficients. Where there is a wide shape too, it takes those along the first, and others
  /// end with the axis before the last. Those that are named may be in planes or not, and have
  /// both.
  template <class Shape, int axis>
  static constexpr bool has_kernel_along() {
    if (!Planes::is_complex) return axis == 2;
    const bool has_wide = has_wider<Shape>(Shapes{});
    if (axis == 0) return !has_wide;
    return axis == (on_input ? 2 : 1) && (has_wide || sizeof...(lengths) > 0);
  }

  /// Null: there is none.
  template <int axis, class Shape>
  static const void* kernel_along() {
    using LineForms = Forms<axis>;
    if constexpr (!Shape::is_wide) {
      return reinterpret_cast<const void*>(&transform_lines_and_apply<LineForms, Shape, Lines>);
    } else {
#if WEFT_IS_CUDA
      return reinterpret_cast<const void*>(&fetch_lines_and_apply<LineForms, Shape, Lines>);
#else
      return nullptr;
#endif
    }
  }
  /// Calls work(axis, kernel), first for lines along any axis.
  template <class Shape, class Work>
  static void each_kernel(const Work& work) {
    work(PointPlaces::any_axis, kernel_along<PointPlaces::any_axis, Shape>());
    const auto try_axis = [&]<int axis>(stockham::Constant<axis>) {
      if constexpr (has_kernel_along<Shape, axis>()) work(axis, kernel_along<axis, Shape>());
    };
    try_axis(stockham::Constant<0>{});
    try_axis(stockham::Constant<1>{});
    try_axis(stockham::Constant<2>{});
  }
  static const void* kernel_for(const FusedPass& fused) {
    if (fused.planes != nullptr) return Planes::kernel_for(fused);
    if (fused.pass->form != form) return nullptr;
    const void* kernel = nullptr;
    stockham::each_shape(Shapes{}, [&]<class Shape>(Shape shape) {
      if (!stockham::has_shape(*fused.pass, shape)) return;
      each_kernel<Shape>([&](int axis, const void* made) {
        if (fused.has_lines_along(axis)) kernel = made;
      });
    });
    return kernel;
  }
  static bool takes(const FusedPass& fused) {
    return kernel_for(fused) != nullptr;
  }

  /// Once on each GPU: asking for so many kernels takes longer than launching one.
  static const char* load() {
    static std::atomic<std::uint64_t> loaded = 0;
    int gpu = 0;
    if (const char* text = current_gpu(gpu)) return text;
    const std::uint64_t mine = std::uint64_t{1} << (gpu & 63);
    if ((loaded & mine) != 0) return nullptr;
    const char* text = nullptr;
    const auto prepare = [&](const void* kernel) {
      if (kernel == nullptr) return;
      if (text == nullptr) text = load_kernel(kernel);
      if (text == nullptr) text = allow_most_shared_bytes(kernel);
    };
    stockham::each_shape(Shapes{}, [&]<class Shape>(Shape) {
      each_kernel<Shape>([&](int, const void* kernel) { prepare(kernel); });
    });
    Planes::each_kernel(prepare);
    if (text == nullptr) loaded |= mine;
    return text;
  }
  static const char* launch(const void* function, const FusedPass& fused, void* stream) {
    const LinePass& pass = *fused.pass;
    if (pass.lines == 0) return nullptr;
    Lines lines = lines_of(function, fused);
    const auto launch_blocks = [&](auto& argument, std::uint32_t blocks) {
      void* arguments[] = {&argument};
      return launch_kernel(kernel_for(fused), dim3(blocks), dim3(argument.block_threads()),
                           arguments, argument.shared_numbers() * sizeof(stockham::Complex<Real>),
                           stream);
    };
    if (fused.planes == nullptr) return launch_blocks(lines, lines.launched_blocks());
    auto planes = Planes::argument_of(lines, *fused.planes);
    return launch_blocks(planes, planes.blocks());
  }
  static constexpr FusedCalls calls{&takes, &run, &load, &launch};
#else
  static constexpr FusedCalls calls{nullptr, &run, nullptr, nullptr};
#endif
};

}  // namespace weft::detail
