// Kernels that encode and decode blocks of messages. 32 lanes have two reals of a block each; they
// take several blocks at a time, so that enough memory is under way, and so that what is done once
// for each block is done by different lanes.
#include <cstdint>
#include <cstring>

#include "codec/measure.hpp"
#include "codec/schemes.hpp"
#include "device/block_codes.hpp"
#include "device/gpu_kernels.hpp"
#include "device/gpu_launch.hpp"

namespace weft {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned groups = threads / code_lanes;  ///< of lanes
constexpr unsigned ctas_per_processor = 8;
constexpr unsigned least_ctas = 2;  ///< at a time on a processor, which bounds registers
constexpr int most_tasks = 8;
constexpr int encoded_at_once = 8;  ///< blocks
constexpr int decoded_at_once = 4;

struct CodeTasks {
  CodeTask tasks[most_tasks];
  /// Groups of lanes take items of several blocks in turns; this is the first one of each task, and
  /// behind the last the end.
  std::uint64_t first_item[most_tasks + 1];
  BlockShape shape;
  bool aligned;  ///< numbers are aligned to the size of an element
  int size;
};

template <class Scheme>
struct EncodeLaunch {
  CodeTasks tasks;
  Scheme scheme;
  double scale;
  EncodingSums* sums;
};
template <class Scheme>
struct DecodeLaunch {
  CodeTasks tasks;
  Scheme scheme;
};

// What lanes of a group tell each other. Groups of a wavefront of 64 need not be at the same place.

__device__ inline std::uint32_t word_of_lane(std::uint32_t word, int lane) {
#if defined(WEFT_HIP)
  return static_cast<std::uint32_t>(__shfl(static_cast<int>(word), lane, code_lanes));
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

__device__ inline std::uint32_t largest_of_lanes(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xffffffffU, value);
#else
  const int lane = static_cast<int>(threadIdx.x) % code_lanes;
#pragma unroll
  for (int distance = code_lanes / 2; distance > 0; distance /= 2) {
    const std::uint32_t other = word_of_lane(value, lane ^ distance);
    value = other > value ? other : value;
  }
  return value;
#endif
}
__device__ inline std::uint64_t largest_of_lanes(std::uint64_t value) {
  const auto upper = static_cast<std::uint32_t>(value >> 32);
  const std::uint32_t largest = largest_of_lanes(upper);
  const std::uint32_t lower = upper == largest ? static_cast<std::uint32_t>(value) : 0;
  return std::uint64_t{largest} << 32 | largest_of_lanes(lower);
}

/// The sum over all lanes, in the same order every time.
__device__ inline double sum_of_lanes(double value) {
  const int lane = static_cast<int>(threadIdx.x) % code_lanes;
#pragma unroll
  for (int distance = code_lanes / 2; distance > 0; distance /= 2) {
    value += of_lane(value, lane ^ distance);
  }
  return value;
}

/// What one lane has written to shared memory, others read after this.
__device__ inline void meet() {
#if defined(WEFT_HIP)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#else
  __syncwarp();
#endif
}

template <class Real>
struct alignas(2 * sizeof(Real)) Pair {
  Real value[2];
};

/// The reals of this lane; those beyond the block are zero.
template <class Real>
__device__ inline Pair<Real> load_reals(const CodeTasks& all, const CodeTask& task,
                                        const BlockPlace& place, int lane) {
  Pair<Real> result{};
  if (all.shape.element_reals == 2) {
    if (lane >= place.elements) return result;
    const std::byte* const from = element_at(task, place, lane);
    if (all.aligned) return *reinterpret_cast<const Pair<Real>*>(from);
    result.value[0] = reinterpret_cast<const Real*>(from)[0];
    result.value[1] = reinterpret_cast<const Real*>(from)[1];
    return result;
  }
#pragma unroll
  for (int which = 0; which < 2; ++which) {
    const int element = lane + code_lanes * which;
    if (element >= place.elements) continue;
    result.value[which] = *reinterpret_cast<const Real*>(element_at(task, place, element));
  }
  return result;
}

/// Stores those that are in the part.
template <class Real>
__device__ inline void store_reals(const CodeTasks& all, const CodeTask& task,
                                   const BlockPlace& place, int lane, const Pair<Real>& reals) {
  if (all.shape.element_reals == 2) {
    if (lane < place.begin || lane >= place.end) return;
    std::byte* const to = element_at(task, place, lane);
    if (all.aligned) {
      *reinterpret_cast<Pair<Real>*>(to) = reals;
    } else {
      reinterpret_cast<Real*>(to)[0] = reals.value[0];
      reinterpret_cast<Real*>(to)[1] = reals.value[1];
    }
    return;
  }
#pragma unroll
  for (int which = 0; which < 2; ++which) {
    const int element = lane + code_lanes * which;
    if (element < place.begin || element >= place.end) continue;
    *reinterpret_cast<Real*>(element_at(task, place, element)) = reals.value[which];
  }
}

/// The block of an item that this lane looks up for the others; beyond the last one it is empty.
template <int at_once>
__device__ inline BlockPlace place_of_lane(const CodeTasks& all, const CodeTask& task,
                                           std::uint64_t item, int lane) {
  const std::uint32_t number =
      static_cast<std::uint32_t>(item) * at_once + static_cast<std::uint32_t>(lane % at_once);
  return number < task.blocks ? locate(task, all.shape, number) : BlockPlace{};
}

/// Adds what this CTA has found to its place among the sums.
__device__ inline void add_sums(EncodingSums* sums, double squared_error, double squared_norm,
                                bool broken, bool nonzero) {
  __shared__ double errors[groups], norms[groups];
  __shared__ std::uint32_t flags[groups];
  const int lane = static_cast<int>(threadIdx.x) % code_lanes;
  const unsigned group = threadIdx.x / code_lanes;
  squared_error = sum_of_lanes(squared_error);
  squared_norm = sum_of_lanes(squared_norm);
  const std::uint32_t any_broken = largest_of_lanes(std::uint32_t{broken});
  const std::uint32_t any_nonzero = largest_of_lanes(std::uint32_t{nonzero});
  if (lane == 0) {
    errors[group] = squared_error;
    norms[group] = squared_norm;
    flags[group] = any_broken << 1 | any_nonzero;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  EncodingSums& sum = sums[blockIdx.x];
  for (unsigned i = 0; i < groups; ++i) {
    sum.squared_error += errors[i];
    sum.squared_norm += norms[i];
    sum.broken |= flags[i] >> 1;
    sum.nonzero |= flags[i] & 1;
  }
}

template <class Scheme>
__global__ void __launch_bounds__(threads, least_ctas)
    encode_blocks(WEFT_KERNEL_ARGUMENT EncodeLaunch<Scheme> launch) {
  using Real = typename Scheme::Real;
  __shared__ Word<Real> all_codes[groups][block_reals];
  const CodeTasks& all = launch.tasks;
  const int lane = static_cast<int>(threadIdx.x) % code_lanes;
  const unsigned group = threadIdx.x / code_lanes;
  Word<Real>* const codes = all_codes[group];
  const Real scale = static_cast<Real>(launch.scale);
  double squared_error = 0, squared_norm = 0;
  bool broken = false;
  Word<Real> seen = 0;
  int number = 0;
  for (std::uint64_t item = std::uint64_t{blockIdx.x} * groups + group;
       item < all.first_item[all.size]; item += std::uint64_t{gridDim.x} * groups) {
    while (item >= all.first_item[number + 1]) ++number;
    const CodeTask& task = all.tasks[number];
    const BlockPlace mine =
        place_of_lane<encoded_at_once>(all, task, item - all.first_item[number], lane);
    Pair<Real> reals[encoded_at_once];
#pragma unroll
    for (int block = 0; block < encoded_at_once; ++block) {
      reals[block] = load_reals<Real>(all, task, of_lane(mine, block), lane);
    }
    Word<Real> largest = 0;
#pragma unroll
    for (int block = 0; block < encoded_at_once; ++block) {
      Real(&value)[2] = reals[block].value;
      seen |= magnitude_of(value[0]) | magnitude_of(value[1]);
      value[0] *= scale;
      value[1] *= scale;
      if (!Scheme::by_largest) continue;
      const Word<Real> first = magnitude_of(value[0]), second = magnitude_of(value[1]);
      const Word<Real> of_block = largest_of_lanes(first > second ? first : second);
      if (lane % encoded_at_once == block) largest = of_block;
    }
    const auto my_encoder = launch.scheme.encoder(largest);
#pragma unroll
    for (int block = 0; block < encoded_at_once; ++block) {
      const BlockPlace place = of_lane(mine, block);
      if (place.elements == 0) continue;
      auto encode = my_encoder;
      if constexpr (Scheme::by_largest) encode = of_lane(my_encoder, block);
      const auto decode = launch.scheme.decoder(encode.header);
#pragma unroll
      for (int which = 0; which < 2; ++which) {
        const Real value = reals[block].value[which];
        const Word<Real> code = encode(value);
        const Real decoded = decode(code);
        codes[real_of_lane(lane, which, all.shape.element_reals)] = code;
        squared_error += squared_error_of(value, decoded);
        squared_norm += square_of(value);
        broken = broken || is_unsound(value, decoded);
      }
      meet();
      const MessageWords words(place.message, all.shape.bytes(place.elements));
      for (int word = lane; word < words.count(); word += code_lanes) {
        store_word(words, word, encoded_word(codes, all.shape, encode.header, words.begin, word));
      }
      meet();
    }
  }
  add_sums(launch.sums, squared_error, squared_norm, broken, seen != 0);
}

template <class Scheme>
__global__ void __launch_bounds__(threads, least_ctas)
    decode_blocks(WEFT_KERNEL_ARGUMENT DecodeLaunch<Scheme> launch) {
  using Real = typename Scheme::Real;
  const CodeTasks& all = launch.tasks;
  const int lane = static_cast<int>(threadIdx.x) % code_lanes;
  const unsigned group = threadIdx.x / code_lanes;
  int number = 0;
  for (std::uint64_t item = std::uint64_t{blockIdx.x} * groups + group;
       item < all.first_item[all.size]; item += std::uint64_t{gridDim.x} * groups) {
    while (item >= all.first_item[number + 1]) ++number;
    const CodeTask& task = all.tasks[number];
    const BlockPlace mine =
        place_of_lane<decoded_at_once>(all, task, item - all.first_item[number], lane);
    const std::uint32_t my_header = mine.elements > 0 ? load_header(mine, all.shape) : 0;
    Word<Real> codes[decoded_at_once][2];
#pragma unroll
    for (int block = 0; block < decoded_at_once; ++block) {
      const BlockPlace place = of_lane(mine, block);
      const MessageWords words(place.message, all.shape.bytes(place.elements));
#pragma unroll
      for (int which = 0; which < 2; ++which) {
        const int real = real_of_lane(lane, which, all.shape.element_reals);
        const bool there = real < place.elements * all.shape.element_reals;
        codes[block][which] = there ? load_code<Word<Real>>(words, all.shape, real) : 0;
      }
    }
#pragma unroll
    for (int block = 0; block < decoded_at_once; ++block) {
      const auto decode = launch.scheme.decoder(word_of_lane(my_header, block));
      const Pair<Real> reals{{decode(codes[block][0]), decode(codes[block][1])}};
      store_reals(all, task, of_lane(mine, block), lane, reals);
    }
  }
}

/// Collects tasks and launches a kernel for as many as its argument can hold.
template <class Launch>
class Launcher : public CodeSink {
 public:
  Launcher(gpuStream_t stream, int processors, Kernel<Launch> kernel, Launch& pending, int at_once)
      : stream_(stream), kernel_(kernel), pending_(pending), at_once_(at_once) {
    const unsigned filled = static_cast<unsigned>(processors) * ctas_per_processor;
    most_ctas_ = filled < encoding_sums ? filled : unsigned{encoding_sums};
    pending_.tasks.size = 0;
    pending_.tasks.first_item[0] = 0;
  }

  void add(const CodeTask& task) override {
    CodeTasks& tasks = pending_.tasks;
    tasks.tasks[tasks.size] = task;
    const auto items = (std::uint64_t{task.blocks} + at_once_ - 1) / at_once_;
    tasks.first_item[tasks.size + 1] = tasks.first_item[tasks.size] + items;
    if (++tasks.size == most_tasks) flush();
  }

  void flush() {
    CodeTasks& tasks = pending_.tasks;
    if (tasks.size == 0) return;
    const std::uint64_t ctas = (tasks.first_item[tasks.size] + groups - 1) / groups;
    launch(kernel_, static_cast<unsigned>(ctas < most_ctas_ ? ctas : most_ctas_), threads, stream_,
           pending_);
    tasks.size = 0;
  }

 private:
  gpuStream_t stream_;
  Kernel<Launch> kernel_;
  Launch& pending_;
  std::uint64_t at_once_;
  unsigned most_ctas_ = 0;
};

bool are_aligned(std::span<const CodedPart> parts, CopyElement element) {
  for (const CodedPart& part : parts) {
    if (reinterpret_cast<std::uintptr_t>(part.numbers) % bytes_of(element) != 0) return false;
  }
  return true;
}

template <class Launch>
void launch_all(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                CopyElement element, Kernel<Launch> kernel, Launch& arguments, int at_once) {
  arguments.tasks.aligned = are_aligned(parts, element);
  Launcher<Launch> launcher(stream, processors, kernel, arguments, at_once);
  for (const CodedPart& part : parts) {
    make_tasks(part, arguments.tasks.shape, bytes_of(element), launcher);
  }
  launcher.flush();
}

}  // namespace

void load_code_kernels() {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const BlockScheme name :
         {BlockScheme::plain, BlockScheme::bfp, BlockScheme::wide_bfp, BlockScheme::trim,
          BlockScheme::fp32, BlockScheme::fp16, BlockScheme::bf16}) {
      const bool of_double =
          name == BlockScheme::wide_bfp || name == BlockScheme::fp32 || name == BlockScheme::bf16;
      if (of_double && precision == Precision::f32) continue;
      with_scheme({name, 16, 0}, precision, [](auto scheme) {
        load(encode_blocks<decltype(scheme)>);
        load(decode_blocks<decltype(scheme)>);
      });
    }
  }
}

void launch_encode(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                   const BlockFormat& format, CopyElement element, double scale,
                   EncodingSums* sums) {
  with_scheme(format, element.precision, [&](auto scheme) {
    EncodeLaunch<decltype(scheme)> arguments{
        {{}, {}, BlockShape(format, element.complex), false, 0}, scheme, scale, sums};
    launch_all(stream, processors, parts, element, encode_blocks<decltype(scheme)>, arguments,
               encoded_at_once);
  });
}

void launch_decode(gpuStream_t stream, int processors, std::span<const CodedPart> parts,
                   const BlockFormat& format, CopyElement element) {
  with_scheme(format, element.precision, [&](auto scheme) {
    DecodeLaunch<decltype(scheme)> arguments{
        {{}, {}, BlockShape(format, element.complex), false, 0}, scheme};
    launch_all(stream, processors, parts, element, decode_blocks<decltype(scheme)>, arguments,
               decoded_at_once);
  });
}

}  // namespace weft
