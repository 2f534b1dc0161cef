#pragma once

#include <cstdint>
#include <cstring>

#include "weft/host_device.hpp"

namespace weft {

constexpr int group_lanes = 32;

// What lanes of a group tell each other. Groups of a wavefront of 64 need not be at the same place.

__device__ inline std::uint32_t word_of_lane(std::uint32_t word, int lane) {
#if defined(__HIP_PLATFORM_AMD__) || defined(__AMDGCN__)
  return static_cast<std::uint32_t>(__shfl(static_cast<int>(word), lane, group_lanes));
#else
  return __shfl_sync(0xffffffffU, word, lane);
#endif
}

template <class T>
__device__ inline T of_lane(const T& value, int lane) {
  constexpr unsigned count = sizeof(T) / 4;
  static_assert(sizeof(T) % 4 == 0);
  std::uint32_t words[count];
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < count; ++i) words[i] = word_of_lane(words[i], lane);
  T result = value;
  memcpy(&result, words, sizeof(T));
  return result;
}

}  // namespace weft
