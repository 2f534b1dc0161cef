#pragma once

#include "device/device.hpp"
#include "device/stream.hpp"
#include "weft/spectral_functions.hpp"

namespace weft {

/// Threads that keep a large device busy.
inline constexpr Index most_threads_of_device = Index{1} << 18;

/// Applies one of the library's functions to numbers in memory of a stream's device.
template <class Number, class F>
void apply(Stream& stream, const F& function, const PointBlock& block) {
  const LibraryFunction<F> for_device(function, true);
  const auto callback = detail::PointFunction::of<Number>(for_device);
  stream.device().load(callback);
  stream.apply(callback, block);
}

/// The sums of so many threads, for so many results, as a block of numbers in `memory`.
inline PointBlock block_of_sums(std::byte* memory, Index threads, Index results = 1) {
  PointBlock block;
  block.to = memory;
  block.from = memory;
  block.loops[0] = {threads, 1, 1, 1, 0};
  block.loops[1] = {results, threads, threads, threads, 1};
  block.loop_count = 2;
  block.first.index = Extents::filled(2, 0);
  return block;
}

/// Calls work(number) with a zero of the type that functions on devices see.
template <class Work>
void with_device_number(const ElementType& type, Work&& work) {
  const bool single = type.precision == Precision::f32;
  if (type.complex) {
    single ? work(Complex<float>{}) : work(Complex<double>{});
  } else {
    single ? work(0.0f) : work(0.0);
  }
}

}  // namespace weft
