#pragma once

// The host in place of the threads of a GPU that transform the lines of a block together.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "weft/error.hpp"
#include "weft/kernels/line_block.hpp"

namespace weft::stockham {

/// What a block of threads shares on the emulated device: enough for all lengths that are used
/// most, and less than most GPUs have.
inline constexpr std::size_t emulated_block_bytes = std::size_t{96} << 10;

/// What blocks share, one after another. Allocated when a thread first emulates one: what is
/// thread_local itself comes off the stacks of all threads.
inline std::byte* emulated_memory() {
  struct alignas(64) Memory {
    std::byte bytes[emulated_block_bytes];
  };
  thread_local const auto memory = std::make_unique<Memory>();
  return memory->bytes;
}

namespace {

struct EmulatedTeam {
  BlockLines lines;
  std::uint32_t threads;

  template <class Work>
  WEFT_HOST_DEVICE void phase(const Work& work) const {
    for (std::uint32_t thread = 0; thread < threads; ++thread) work(LineThread{lines, thread});
  }
};

template <int... radices>
void check_radices(const LinePass& pass, Sequence<radices...>) {
  for (std::uint32_t i = 0; i < pass.stages; ++i) {
    const std::uint32_t radix = pass.stage[i].radix;
    if (!((radix == std::uint32_t{radices}) || ...)) {
      throw Error("no butterflies of radix " + std::to_string(radix), ErrorCode::device);
    }
  }
}

/// Phases are one after another, and so are the threads of each.
template <class Shapes, class Real, class Load, class Store>
void emulate_block(const LinePass& pass, const BlockLines& lines) {
  using Number = Complex<Real>;
  const std::uint32_t threads = pass.lanes.count * pass.threads.count;
  const std::size_t numbers = std::size_t{pass.lanes.count} * pass.pitch;
  if (threads > most_line_threads(sizeof(Real) == sizeof(double)) ||
      numbers * sizeof(Number) > emulated_block_bytes) {
    throw Error("a block of threads beyond what a device has", ErrorCode::device);
  }
  check_radices(pass, Radices{});
  constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();
  auto* const buffer = reinterpret_cast<Number*>(emulated_memory());
  std::fill_n(buffer, numbers, Number{poison, poison});
  with_shape(pass, Shapes{}, [&](auto shape) {
    transform_block<decltype(shape), Real, Load, Store>(pass, EmulatedTeam{lines, threads}, buffer);
    return true;
  });
}

}  // namespace

}  // namespace weft::stockham
