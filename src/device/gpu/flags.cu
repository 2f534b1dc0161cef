// Kernels that set flags of other ranks and wait for theirs. Flags lie in memory of this device or,
// mapped, of others, so everything is ordered and seen by the whole system.
#include <algorithm>
#include <cstdint>

#include "device/gpu/kernels.hpp"
#include "device/gpu/launch.hpp"

namespace weft {

namespace {

constexpr unsigned most_flags = 256;

struct FlagLaunch {
  std::uint64_t* epoch;
  std::uint64_t* flags[most_flags];
  unsigned size;
  bool next_epoch;
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
  __shared__ std::uint64_t epoch;
  if (threadIdx.x == 0) {
    epoch = *launch.epoch + (launch.next_epoch ? 1 : 0);
    if (launch.next_epoch) *launch.epoch = epoch;
  }
  __syncthreads();
  __threadfence_system();
  if (threadIdx.x < launch.size) store_release(launch.flags[threadIdx.x], epoch);
}

__global__ void __launch_bounds__(most_flags) await_flags(WEFT_KERNEL_ARGUMENT FlagLaunch launch) {
  if (threadIdx.x < launch.size) {
    const std::uint64_t epoch = *launch.epoch;
    while (load_acquire(launch.flags[threadIdx.x]) < epoch) {
    }
  }
}

/// Calls visit(launch) for as many launches as the flags need, at least one.
template <class Visit>
void for_each_launch(const Flags& flags, bool next_epoch, const Visit& visit) {
  FlagLaunch launch;
  launch.epoch = flags.epoch;
  launch.next_epoch = next_epoch;
  std::size_t first = 0;
  do {
    launch.size =
        static_cast<unsigned>(std::min<std::size_t>(flags.peers.size() - first, most_flags));
    std::copy_n(flags.peers.data() + first, launch.size, launch.flags);
    visit(launch);
    launch.next_epoch = false;
    first += launch.size;
  } while (first < flags.peers.size());
}

}  // namespace

void load_flag_kernels() {
  load(raise_flags);
  load(await_flags);
}

void launch_signal(gpuStream_t stream, const Flags& flags, bool next_epoch) {
  for_each_launch(flags, next_epoch, [&](FlagLaunch& arguments) {
    launch(raise_flags, 1, most_flags, stream, arguments);
  });
}

void launch_await(gpuStream_t stream, const Flags& flags) {
  if (flags.peers.empty()) return;
  for_each_launch(flags, false, [&](FlagLaunch& arguments) {
    launch(await_flags, 1, most_flags, stream, arguments);
  });
}

}  // namespace weft
