#pragma once

// What kernels that encode and decode blocks of messages have in common. 32 lanes, a group, take
// items of up to 32 blocks: each of them finds the place of one block, then 8 lanes share a block,
// so that a group has 4 of them under way at a time. Lanes side by side have either elements side
// by side of one block, or the same element of blocks side by side: what lies together in memory.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "codec/schemes.hpp"
#include "device/block_codes.hpp"
#include "device/gpu/kernels.hpp"
#include "device/gpu/lanes.hpp"
#include "device/gpu/launch.hpp"

namespace weft {

constexpr unsigned code_threads = 256;
constexpr int block_lanes = 8;
constexpr int lane_reals = block_reals / block_lanes;
constexpr unsigned code_groups = code_threads / group_lanes;
constexpr int blocks_at_once = group_lanes / block_lanes;
constexpr int most_code_tasks = 8;

struct CodeTasks {
  CodeTask tasks[most_code_tasks];
  /// Groups of lanes take items in turns; this is the first one of each task, and behind the last
  /// the end.
  std::uint64_t first_item[most_code_tasks + 1];
  BlockShape shape;
  int item_blocks;
  /// Numbers to the size of an element, and codes that are whole bytes to what those of an element
  /// take.
  bool aligned;
  int size;
};

/// What one lane has written to shared memory, others read after this.
__device__ inline void meet() {
#if defined(__HIP_PLATFORM_AMD__)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#else
  __syncwarp();
#endif
}

__device__ inline int group_lane() {
  return static_cast<int>(threadIdx.x) % group_lanes;
}
__device__ inline unsigned group_number() {
  return threadIdx.x / group_lanes;
}

/// What a lane has of a block: every block_lanes-th element from the first one on.
struct LaneShare {
  BlockPlace place;
  std::int64_t stride;
  std::int64_t gap;
  int slot;  ///< which of the blocks at once this is
  int first;
  int distance;  ///< from a lane to its neighbor in the block
  bool regular;  ///< the block is whole, and so are accesses to its elements

  /// Address of the first element.
  __device__ std::byte* begin() const { return place.numbers + first * stride; }
  __device__ int element(int number) const { return first + number * block_lanes; }
  __device__ std::byte* address(int element) const {
    return place.numbers + element * stride + (element >= place.gap_at ? gap : 0);
  }
};

/// Whether codes are whole bytes, and nothing but them is in the message.
template <class Scheme>
constexpr bool has_byte_codes =
    Scheme::header_bytes == 0 && Scheme::fixed_width > 0 && Scheme::fixed_width % 8 == 0;

template <class Scheme>
constexpr int byte_code_bytes = has_byte_codes<Scheme> ? Scheme::fixed_width / 8 : 0;

/// Type of the codes that a lane has.
template <class Scheme>
using LaneCode =
    std::conditional_t<has_byte_codes<Scheme> && Scheme::fixed_width == 16, std::uint16_t,
                       std::conditional_t<(Scheme::fixed_width > 0 && Scheme::fixed_width <= 32),
                                          std::uint32_t, Word<typename Scheme::Real>>>;

/// Values that are loaded and stored at once.
template <class T, int count>
struct alignas(sizeof(T) * count) Several {
  T value[count];
};

template <int count, class T>
__device__ inline void load_several(const std::byte* from, T* to) {
  const auto values = *reinterpret_cast<const Several<T, count>*>(from);
#pragma unroll
  for (int i = 0; i < count; ++i) to[i] = values.value[i];
}
template <int count, class T>
__device__ inline void store_several(std::byte* to, const T* from) {
  Several<T, count> values;
#pragma unroll
  for (int i = 0; i < count; ++i) values.value[i] = from[i];
  *reinterpret_cast<Several<T, count>*>(to) = values;
}

/// Compilers do not know of addresses from shared memory that they are not of shared memory.
__device__ inline void assume_global([[maybe_unused]] const void* address) {
#if !defined(WEFT_HIP)
  __builtin_assume(__isGlobal(address));
#endif
}

__device__ inline bool is_whole(const BlockPlace& place, int whole) {
  return place.elements == whole && place.begin == 0 && place.end == whole && place.gap_at == whole;
}

/// Values in shared memory, where no constructor is called.
template <class T, int count>
struct SharedArray {
  alignas(T) std::byte bytes[sizeof(T) * count];
  __device__ T& operator[](int number) { return reinterpret_cast<T*>(bytes)[number]; }
};

/// Of the blocks of an item of each group.
using Places = SharedArray<BlockPlace, static_cast<int>(code_threads)>;

/// Calls work(share) for the blocks that this group of lanes takes, blocks_at_once at a
/// time; places beyond the last block are empty.
template <class Work>
__device__ inline void for_each_share(const CodeTasks& all, Places& all_places, const Work& work) {
  BlockPlace* const places = &all_places[static_cast<int>(group_number()) * group_lanes];
  const int lane = group_lane();
  int number = 0;
  for (std::uint64_t item = std::uint64_t{blockIdx.x} * code_groups + group_number();
       item < all.first_item[all.size]; item += std::uint64_t{gridDim.x} * code_groups) {
    while (item >= all.first_item[number + 1]) ++number;
    const CodeTask& task = all.tasks[number];
    const auto begin = static_cast<std::uint32_t>(item - all.first_item[number]) *
                       static_cast<std::uint32_t>(all.item_blocks);
    const std::uint32_t left = task.blocks - begin;
    const int count = left < static_cast<std::uint32_t>(all.item_blocks) ? static_cast<int>(left)
                                                                         : all.item_blocks;
    meet();
    places[lane] = lane < count ? locate(task, all.shape, begin + static_cast<std::uint32_t>(lane))
                                : BlockPlace{};
    meet();
    LaneShare share;
    share.stride = task.stride;
    share.gap = task.gap;
    share.slot = task.across ? lane % blocks_at_once : lane / block_lanes;
    share.first = task.across ? lane / blocks_at_once : lane % block_lanes;
    share.distance = task.across ? blocks_at_once : 1;
    for (int block = 0; block < count; block += blocks_at_once) {
      share.place = places[block + share.slot];
      assume_global(share.place.numbers);
      assume_global(share.place.message);
      share.regular = all.aligned && is_whole(share.place, all.shape.block_elements);
      work(share);
    }
  }
}

/// Collects tasks and launches a kernel for as many as its argument can hold.
template <class Launch>
class CodeLauncher : public CodeSink {
 public:
  CodeLauncher(gpuStream_t stream, unsigned ctas, Kernel<Launch> kernel, Launch& pending)
      : stream_(stream),
        kernel_(kernel),
        pending_(pending),
        most_ctas_(std::min(ctas, static_cast<unsigned>(encoding_sums))) {
    clear();
  }

  /// Items are as large as leaves several to each group of lanes.
  void expect(double blocks) {
    const double groups = static_cast<double>(most_ctas_) * code_groups;
    int& item_blocks = pending_.tasks.item_blocks;
    item_blocks = group_lanes;
    while (item_blocks > blocks_at_once && blocks < 4 * groups * item_blocks) item_blocks /= 2;
  }

  void add(const CodeTask& task) override {
    CodeTasks& tasks = pending_.tasks;
    tasks.tasks[tasks.size] = task;
    const auto item_blocks = static_cast<std::uint64_t>(tasks.item_blocks);
    const std::uint64_t items = (task.blocks + item_blocks - 1) / item_blocks;
    tasks.first_item[tasks.size + 1] = tasks.first_item[tasks.size] + items;
    if (++tasks.size == most_code_tasks) flush();
  }

  void flush() {
    CodeTasks& tasks = pending_.tasks;
    if (tasks.size == 0) return;
    const std::uint64_t ctas = (tasks.first_item[tasks.size] + code_groups - 1) / code_groups;
    launch(kernel_, static_cast<unsigned>(ctas < most_ctas_ ? ctas : most_ctas_), code_threads,
           stream_, pending_);
    clear();
  }

 private:
  void clear() {
    pending_.tasks.size = 0;
    pending_.tasks.first_item[0] = 0;
  }

  gpuStream_t stream_;
  Kernel<Launch> kernel_;
  Launch& pending_;
  unsigned most_ctas_;
};

/// Whether all numbers are aligned to their elements.
inline bool numbers_are_aligned(std::span<const CodedPart> parts, Index element_bytes) {
  for (const CodedPart& part : parts) {
    if (reinterpret_cast<std::uintptr_t>(part.numbers) %
            static_cast<std::uintptr_t>(element_bytes) !=
        0) {
      return false;
    }
  }
  return true;
}

/// Whether each line begins at a multiple of what the codes of an element take.
inline bool messages_are_aligned(std::span<const CodedPart> parts, Index code_bytes) {
  for (const CodedPart& part : parts) {
    auto bits = static_cast<Index>(reinterpret_cast<std::uintptr_t>(part.message));
    for (const Index bytes : part.line_bytes) bits |= bytes;
    if (bits % code_bytes != 0) return false;
  }
  return true;
}

/// `code_bytes`: of codes that are whole bytes, or 0.
template <class Launch>
void launch_codes(gpuStream_t stream, unsigned ctas, std::span<const CodedPart> parts,
                  CopyElement element, Index code_bytes, Kernel<Launch> kernel, Launch& arguments) {
  CodeTasks& tasks = arguments.tasks;
  const BlockShape& shape = tasks.shape;
  tasks.aligned =
      numbers_are_aligned(parts, bytes_of(element)) &&
      (code_bytes == 0 || messages_are_aligned(parts, code_bytes * shape.element_reals));
  CodeLauncher<Launch> launcher(stream, ctas, kernel, arguments);
  double blocks = 0;
  for (const CodedPart& part : parts) {
    blocks += static_cast<double>(product(part.extents)) / shape.block_elements;
  }
  launcher.expect(blocks);
  for (const CodedPart& part : parts) make_tasks(part, shape, bytes_of(element), launcher);
  launcher.flush();
}

/// Calls visit(scheme) for a scheme of each kind that there is.
template <class Visit>
void for_each_scheme(const Visit& visit) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const BlockScheme name :
         {BlockScheme::plain, BlockScheme::bfp, BlockScheme::wide_bfp, BlockScheme::trim,
          BlockScheme::fp32, BlockScheme::fp16, BlockScheme::bf16}) {
      const bool of_double =
          name == BlockScheme::wide_bfp || name == BlockScheme::fp32 || name == BlockScheme::bf16;
      if (of_double && precision == Precision::f32) continue;
      with_scheme({name, 16, 0}, precision, visit);
    }
  }
}

}  // namespace weft
