#pragma once

// Blocks of threads that last: they fetch the next lines while they transform some. One block alone
// on a processor would leave memory idle otherwise, but it takes twice as many lines that are
// neighbors in memory as two (H200, 1024 points far apart: 1.2 times as long as a copy, not 1.5).
#include "weft/kernels/gpu_team.hpp"

namespace weft::stockham {

namespace {

#if WEFT_IS_CUDA

/// Copies a number to shared memory. Nothing of it goes through registers, on GPUs that can.
template <class Real>
__device__ void start_copy(Complex<Real>* to, const Complex<Real>* from) {
#if __CUDA_ARCH__ >= 800
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from),
               "n"(sizeof(Complex<Real>))
               : "memory");
#else
  *to = *from;
#endif
}
/// For those of this thread.
__device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Each thread copies to shared memory what it needs in the first stage. As soon as all threads
/// have their numbers of the last stage, the next lines take the place of these.
template <class Real, class Load, class Shape>
struct FetchedLines {
  using First = FixedStage<Shape, 0>;
  using Last = FixedStage<Shape, 1>;
  static_assert(Shape::stages == 2 && Last::count <= Shape::line_threads);
  static_assert(whole_warps(Shape::block_threads) == Shape::block_threads);

  const LinePass& pass;
  Complex<Real>* const buffer;

  /// A thread whose number the compiler does not know: it finds places again instead of keeping
  /// them in registers.
  __device__ LineThread thread(std::uint32_t block) const {
    std::uint32_t number = threadIdx.x;
    asm volatile("" : "+r"(number));
    return {{block * Shape::block_lanes, pass.lines}, number};
  }

  __device__ void fetch(std::uint32_t block) const {
    const LineThread mine = thread(block);
    const ThreadShare share = share_of<Shape>(pass, pass.in.across, mine.number);
    const auto* const line = reinterpret_cast<const Complex<Real>*>(pass.in.data) +
                             mine.place<Shape>(pass, pass.in, share).at;
    const First stage{pass.stage[0]};
    each_turn<Shape, First>(share.first, [&](std::uint32_t b, auto) {
      const NumberRun run = Load::template run<First::radix>(pass, b, First::count);
      Complex<Real>* const row =
          buffer + share.lane * Shape::lane_distance(pass) + stage.row(b) * Shape::row_distance;
      each<First::radix>([&](int i) {
        start_copy(row + i * stage.leg() * Shape::row_distance,
                   line + run.first + run.steps.elements_to(i));
      });
    });
  }
};

/// Lines whose numbers are all stored.
template <class Real, class Load, class Store, class Shape>
__device__ void transform_fetched_blocks(const LinePass& pass) {
  using Lines = FetchedLines<Real, Load, Shape>;
  extern __shared__ double2 memory[];
  const Lines lines{pass, reinterpret_cast<Complex<Real>*>(memory)};
  auto* const shared_next =
      reinterpret_cast<std::uint32_t*>(lines.buffer + Shape::block_lanes * Shape::line_pitch);
  const std::uint32_t blocks = pass.blocks();
  std::uint32_t block = blockIdx.x;
  lines.fetch(block);
  while (block < blocks) {
    std::uint32_t taken = 0;
    if (threadIdx.x == 0) taken = atomicInc(pass.taken, blocks - 1);
    const LineThread mine = lines.thread(block);  // places are found before the lines have come
    wait_for_copies();
    const typename Lines::First first{pass.stage[0]};
    run_butterflies<Lines::First::radix, Real, Load, Store, Shape, true>(
        pass, first, StageShare::of<Shape, Load, Store>(pass, first, mine), lines.buffer, [] {});
    if (threadIdx.x == 0) *shared_next = gridDim.x + taken;
    __syncthreads();
    const std::uint32_t next = *shared_next;
    const typename Lines::Last last{pass.stage[1]};
    run_butterflies<Lines::Last::radix, Real, Load, Store, Shape>(
        pass, last, StageShare::of<Shape, Load, Store>(pass, last, lines.thread(block)),
        lines.buffer, [&] {
          __syncthreads();
          if (next < blocks) lines.fetch(next);
        });
    block = next;
  }
}

#endif

}  // namespace

}  // namespace weft::stockham
