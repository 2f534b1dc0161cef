// Kernels that raise flags of other ranks and wait for theirs. Flags lie in memory of this device
// or, mapped, of others, so everything is ordered and seen by the whole system.
#include <algorithm>
#include <cstdint>

#include "device/gpu/kernels.hpp"
#include "device/gpu/launch.hpp"

namespace weft {

namespace {

constexpr unsigned most_flags = 256;

struct FlagLaunch {
  std::uint64_t* flags[most_flags];
  unsigned size;
};

__device__ inline void store_release(std::uint64_t* to, std::uint64_t value) {
#if defined(__HIP_PLATFORM_AMD__)
  __hip_atomic_store(to, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
#elif defined(__CUDA_ARCH__)
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#endif
}

__device__ inline std::uint64_t load_acquire(const std::uint64_t* from) {
  std::uint64_t value = 0;
#if defined(__HIP_PLATFORM_AMD__)
  value = __hip_atomic_load(from, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
#elif defined(__CUDA_ARCH__)
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
#endif
  return value;
}

/// What was put into the stream before has been done; the fence lets other devices see it too.
__global__ void __launch_bounds__(most_flags) raise_flags(WEFT_KERNEL_ARGUMENT FlagLaunch launch) {
  __threadfence_system();
  if (threadIdx.x < launch.size) store_release(launch.flags[threadIdx.x], 1);
}

__global__ void __launch_bounds__(most_flags) await_flags(WEFT_KERNEL_ARGUMENT FlagLaunch launch) {
  if (threadIdx.x >= launch.size) return;
  std::uint64_t* const flag = launch.flags[threadIdx.x];
  while (load_acquire(flag) == 0) {
  }
  *flag = 0;
}

void launch_for_all(Kernel<FlagLaunch> kernel, gpuStream_t stream, const Flags& flags) {
  FlagLaunch arguments;
  for (std::size_t first = 0; first < flags.size(); first += arguments.size) {
    arguments.size = static_cast<unsigned>(std::min<std::size_t>(flags.size() - first, most_flags));
    std::copy_n(flags.data() + first, arguments.size, arguments.flags);
    launch(kernel, 1, most_flags, stream, arguments);
  }
}

}  // namespace

void load_flag_kernels() {
  load(raise_flags);
  load(await_flags);
}

void launch_signal(gpuStream_t stream, const Flags& flags) {
  launch_for_all(raise_flags, stream, flags);
}

void launch_await(gpuStream_t stream, const Flags& flags) {
  launch_for_all(await_flags, stream, flags);
}

}  // namespace weft
