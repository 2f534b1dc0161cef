#pragma once

// Passes over complex lines that apply a callback as they load or store numbers.
#include <atomic>
#include <cstdint>

#include "weft/kernels/fused_pass.hpp"
#include "weft/kernels/line_teams.hpp"
#include "weft/pointwise.hpp"

namespace weft::detail {

namespace {

template <class F>
struct FusedArgument : LinePass {
  PointPlaces places;
  F function;
};

template <class Number, class F>
struct FusedAccess : stockham::PlainAccess {
  template <class Real>
  WEFT_INLINE static stockham::Complex<Real> apply(const LinePass& pass, std::int64_t place,
                                                   stockham::Complex<Real> z) {
    const auto& fused = static_cast<const FusedArgument<F>&>(pass);
    const Point point = fused.places.at(static_cast<std::uint32_t>(place));
    Number number;
    __builtin_memcpy(&number, &z, sizeof(z));
    fused.function(number, point);
    __builtin_memcpy(&z, &number, sizeof(z));
    return z;
  }
};

template <class Number, class F>
struct LoadAccess : FusedAccess<Number, F> {
  template <class Real>
  WEFT_INLINE static stockham::Complex<Real> read(const LinePass& pass,
                                                  const stockham::LinePlace& line,
                                                  const stockham::Complex<Real>* from) {
    const stockham::Complex<Real> z = stockham::read_once(from);
    if (!line.exists) return z;
    const auto* const first = reinterpret_cast<const stockham::Complex<Real>*>(pass.in.data);
    return LoadAccess::apply(pass, from - first, z);
  }
};

template <class Number, class F>
struct StoreAccess : FusedAccess<Number, F> {
  template <class Real>
  WEFT_INLINE static void write(const LinePass& pass, stockham::Complex<Real>* to,
                                stockham::Complex<Real> z) {
    const auto* const first = reinterpret_cast<const stockham::Complex<Real>*>(pass.out.data);
    *to = StoreAccess::apply(pass, to - first, z);
  }
};

/// How numbers are loaded and stored: whole lines by GPUs, which have kernels for lengths that the
/// compiler knows, those that exist by the host.
template <class Number, class F, bool on_input>
struct FusedForms {
  using Real = typename PartOfNumber<Number>::type;
  using In = std::conditional_t<on_input, LoadAccess<Number, F>, stockham::PlainAccess>;
  using Out = std::conditional_t<on_input, stockham::PlainAccess, StoreAccess<Number, F>>;
  using WholeLoad = stockham::WholeLoad<Real, In>;
  using WholeStore = stockham::WholeStore<Real, Out>;
  using AnyLoad = stockham::NumberLoad<stockham::ComplexNumber<Real, In>>;
  using AnyStore = stockham::NumberStore<stockham::ComplexNumber<Real, Out>>;
};

#if defined(__CUDACC__) || defined(__HIPCC__)

template <class Forms, class Shape, class Argument>
__global__ void __launch_bounds__(Shape::block_lanes* Shape::line_threads, Shape::blocks)
    transform_lines_and_apply(WEFT_KERNEL_CONSTANT Argument pass) {
  stockham::transform_gpu_block<typename Forms::Real, typename Forms::WholeLoad,
                                typename Forms::WholeStore, Shape>(
      pass, {blockIdx.x * Shape::block_lanes, pass.lines});
}

#endif

}  // namespace

/// A function F for complex numbers of one type, fused with loads or stores.
template <class Number, class F, bool on_input, bool seen_by_gpu>
struct FusedKernel {
  using Forms = FusedForms<Number, F, on_input>;
  using Real = typename Forms::Real;
  using Argument = FusedArgument<F>;
  static_assert(sizeof(Argument) <= 4096, "arguments of kernels have no room for this function");

  static Argument argument_of(const void* function, const FusedPass& pass) {
    return {*pass.pass, pass.places, *static_cast<const F*>(function)};
  }
  static void run(const void* function, const FusedPass& fused) {
    const Argument pass = argument_of(function, fused);
    for (std::uint64_t line = 0; line < pass.lines; line += pass.lanes.count) {
      stockham::emulate_block<stockham::ShapeList<>, Real, typename Forms::AnyLoad,
                              typename Forms::AnyStore>(
          pass, {static_cast<std::uint32_t>(line), pass.lines});
    }
  }

#if defined(__CUDACC__) || defined(__HIPCC__)
  using Shapes = typename stockham::KnownShapes<Real>::List;

  /// Null: there is none. For lengths that the compiler does not know, a kernel for the callback
  /// alone is faster (H200, 600 points: 1.26 of the time without callback, this one 1.5 to 1.6).
  template <class Shape>
  static const void* kernel_for(Shape) {
    if constexpr (Shape::is_fixed) {
      return reinterpret_cast<const void*>(&transform_lines_and_apply<Forms, Shape, Argument>);
    } else {
      return nullptr;
    }
  }
  static const void* kernel_for(const FusedPass& fused) {
    if (fused.form != LineForm::whole) return nullptr;
    return stockham::with_shape(*fused.pass, Shapes{},
                                [](auto shape) { return kernel_for(shape); });
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
    stockham::each_shape(Shapes{}, [&](auto shape) {
      if (text == nullptr) text = load_kernel(kernel_for(shape));
      if (text == nullptr) text = allow_most_shared_bytes(kernel_for(shape));
    });
    if (text == nullptr) loaded |= mine;
    return text;
  }
  static const char* launch(const void* function, const FusedPass& fused, void* stream) {
    const LinePass& pass = *fused.pass;
    if (pass.lines == 0) return nullptr;
    constexpr unsigned warp = 32;
    const unsigned threads = pass.lanes.count * pass.threads.count;
    Argument argument = argument_of(function, fused);
    void* arguments[] = {&argument};
    return launch_kernel(kernel_for(fused), dim3((pass.lines - 1) / pass.lanes.count + 1),
                         dim3((threads + warp - 1) / warp * warp), arguments,
                         std::size_t{pass.lanes.count} * pass.pitch * sizeof(Number), stream);
  }
  static constexpr FusedCalls calls{&takes, &run, &load, &launch};
#else
  static constexpr FusedCalls calls{nullptr, &run, nullptr, nullptr};
#endif
};

}  // namespace weft::detail
