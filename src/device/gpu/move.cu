// Kernels that move blocks. Moves are bound by memory: each thread has 64 bytes under way, and
// divides as little as possible to find out which.
#include <cstdint>

#include "device/gpu/kernels.hpp"
#include "device/gpu/launch.hpp"
#include "device/move_tasks.hpp"

namespace weft {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned words_per_thread = 4;  ///< of rows
constexpr unsigned ctas_per_processor = 8;
constexpr unsigned least_tiles = 4;  ///< at a time on a processor, which bounds registers
constexpr int most_tasks = 12;

struct MoveLaunch {
  MoveTask tasks[most_tasks];
  /// CTAs take items in turns; this is the first one of each task, and behind the last the end.
  std::uint64_t first_item[most_tasks + 1];
  double scale;
  int size;
};

/// A word of 4, 8 or 16 bytes.
template <class Real, int count>
struct alignas(sizeof(Real) * count) Lanes {
  Real value[count];
};

/// What happens to a word on its way.
struct Unchanged {
  __device__ explicit Unchanged(double) {}
  template <class Word>
  __device__ Word operator()(const Word& word) const {
    return word;
  }
};
template <class Real>
struct Scaled {
  Real factor;
  __device__ explicit Scaled(double scale) : factor(static_cast<Real>(scale)) {}
  template <class Word>
  __device__ Word operator()(Word word) const {
#pragma unroll
    for (Real& value : word.value) value *= factor;
    return word;
  }
};

/// Where a part begins on both sides, and along its own two axes.
struct Part {
  std::int64_t to;
  std::int64_t from;
  std::uint32_t a;
  std::uint32_t b;
};

__device__ inline Part locate(const MoveTask& task, std::uint32_t number) {
  Part part;
  part.a = take(number, task.a.parts) << task.a.part_log2;
  part.b = take(number, task.b.parts) << task.b.part_log2;
  part.to = part.a * task.a.to + part.b * task.b.to;
  part.from = part.a * task.a.from + part.b * task.b.from;
  for (int i = static_cast<int>(task.loops) - 1; i >= 0; --i) {
    const std::uint32_t at = i > 0 ? take(number, task.loop[i]) : number;
    part.to += at * task.loop_to[i];
    part.from += at * task.loop_from[i];
  }
  return part;
}

/// Rows: words that are neighbors on one side are so on the other.
template <class Word, class Change>
__global__ void __launch_bounds__(threads) move_rows(WEFT_KERNEL_ARGUMENT MoveLaunch launch) {
  const Change change(launch.scale);
  int number = 0;
  for (std::uint64_t item = blockIdx.x; item < launch.first_item[launch.size]; item += gridDim.x) {
    while (item >= launch.first_item[number + 1]) ++number;
    const MoveTask& task = launch.tasks[number];
    const auto local = static_cast<std::uint32_t>(item - launch.first_item[number]);
    auto* const to = reinterpret_cast<Word*>(task.to);
    const auto* const from = reinterpret_cast<const Word*>(task.from);
    std::int64_t target[words_per_thread];
    Word word[words_per_thread];
    if (task.a.part_log2 == row_part_log2) {
      constexpr unsigned lanes = (1U << row_part_log2) / words_per_thread;
      const std::uint32_t index = local * (threads / lanes) + threadIdx.x / lanes;
      if (index >= task.parts) continue;
      const Part part = locate(task, index);
      const unsigned lane = threadIdx.x % lanes;
#pragma unroll
      for (unsigned i = 0; i < words_per_thread; ++i) {
        const unsigned a = lane + i * lanes;
        target[i] = part.a + a < task.a.count ? part.to + a * task.a.to : -1;
        if (target[i] >= 0) word[i] = from[part.from + a * task.a.from];
      }
    } else {
#pragma unroll
      for (unsigned i = 0; i < words_per_thread; ++i) {
        const std::uint32_t index = (local * words_per_thread + i) * threads + threadIdx.x;
        target[i] = -1;
        if (index >= task.parts) continue;
        const Part part = locate(task, index);
        target[i] = part.to;
        word[i] = from[part.from];
      }
    }
#pragma unroll
    for (unsigned i = 0; i < words_per_thread; ++i) {
      if (target[i] >= 0) to[target[i]] = change(word[i]);
    }
  }
}

/// Transpositions by way of shared memory: words of a tile are loaded in the order of the source
/// and stored in that of the target. One word behind each line spreads columns over the banks.
template <class Word, class Change>
__global__ void __launch_bounds__(threads, least_tiles)
    move_tiles(WEFT_KERNEL_ARGUMENT MoveLaunch launch) {
  constexpr unsigned word_log2 = sizeof(Word) == 4 ? 2 : sizeof(Word) == 8 ? 3 : 4;
  constexpr unsigned words_log2 = tile_bytes_log2 - word_log2, words = 1U << words_log2;
  constexpr unsigned most_parts = words >> (2 * least_side_log2);
  static_assert(most_parts <= threads);
  __shared__ Word tile[words + (words >> least_side_log2)];
  __shared__ Part parts[most_parts];
  const Change change(launch.scale);
  int number = 0;
  for (std::uint64_t item = blockIdx.x; item < launch.first_item[launch.size]; item += gridDim.x) {
    while (item >= launch.first_item[number + 1]) ++number;
    const MoveTask& task = launch.tasks[number];
    const auto local = static_cast<std::uint32_t>(item - launch.first_item[number]);
    auto* const to = reinterpret_cast<Word*>(task.to);
    const auto* const from = reinterpret_cast<const Word*>(task.from);
    const unsigned a_log2 = task.a.part_log2, b_log2 = task.b.part_log2;
    const unsigned a_words = 1U << a_log2, b_words = 1U << b_log2;
    const unsigned part_log2 = a_log2 + b_log2, parts_log2 = words_log2 - part_log2;
    if (threadIdx.x < 1U << parts_log2) {
      const std::uint32_t index = (local << parts_log2) + threadIdx.x;
      // Beyond the last part no word is within the block.
      parts[threadIdx.x] = index < task.parts ? locate(task, index) : Part{0, 0, task.a.count, 0};
    }
    __syncthreads();
    Word word[words / threads];
#pragma unroll
    for (unsigned i = 0; i < words / threads; ++i) {
      const unsigned at = i * threads + threadIdx.x;
      const unsigned b = at & (b_words - 1), a = (at >> b_log2) & (a_words - 1);
      const Part& part = parts[at >> part_log2];
      if (part.a + a < task.a.count && part.b + b < task.b.count) {
        word[i] = from[part.from + a * task.a.from + b * task.b.from];
      }
    }
#pragma unroll
    for (unsigned i = 0; i < words / threads; ++i) {
      const unsigned at = i * threads + threadIdx.x;
      const unsigned b = at & (b_words - 1), a = (at >> b_log2) & (a_words - 1);
      tile[((at >> part_log2) * b_words + b) * (a_words + 1) + a] = word[i];
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < words / threads; ++i) {
      const unsigned at = i * threads + threadIdx.x;
      const unsigned a = at & (a_words - 1), b = (at >> a_log2) & (b_words - 1);
      const Part& part = parts[at >> part_log2];
      if (part.a + a < task.a.count && part.b + b < task.b.count) {
        to[part.to + a * task.a.to + b * task.b.to] =
            change(tile[((at >> part_log2) * b_words + b) * (a_words + 1) + a]);
      }
    }
    __syncthreads();
  }
}

struct MoveKernels {
  Kernel<MoveLaunch> rows;
  Kernel<MoveLaunch> tiles;
};

template <class Word, class Change>
MoveKernels kernels_of() {
  return {move_rows<Word, Change>, move_tiles<Word, Change>};
}

/// How words are seen.
enum WordType { bits, singles, doubles };

/// By the size of words: 4, 8 and 16 bytes. No double has 4 bytes.
const MoveKernels& kernels_for(WordType type, int size) {
  static const MoveKernels table[3][3] = {
      {kernels_of<Lanes<std::uint32_t, 1>, Unchanged>(),
       kernels_of<Lanes<std::uint32_t, 2>, Unchanged>(),
       kernels_of<Lanes<std::uint32_t, 4>, Unchanged>()},
      {kernels_of<Lanes<float, 1>, Scaled<float>>(), kernels_of<Lanes<float, 2>, Scaled<float>>(),
       kernels_of<Lanes<float, 4>, Scaled<float>>()},
      {{},
       kernels_of<Lanes<double, 1>, Scaled<double>>(),
       kernels_of<Lanes<double, 2>, Scaled<double>>()}};
  return table[type][size];
}

int size_number(std::uint32_t word_bytes) {
  return word_bytes == 4 ? 0 : word_bytes == 8 ? 1 : 2;
}

/// Tasks for a CTA at a time.
std::uint64_t items_of(const MoveTask& task, TaskKind kind, std::uint32_t word_bytes) {
  std::uint64_t parts_per_item = words_per_thread * threads >> task.a.part_log2;
  if (kind == TaskKind::tiles) {
    const std::uint32_t words = (std::uint32_t{1} << tile_bytes_log2) / word_bytes;
    parts_per_item = words >> (task.a.part_log2 + task.b.part_log2);
  }
  return (task.parts + parts_per_item - 1) / parts_per_item;
}

/// Collects tasks for the same kernel and launches it for as many as its argument can hold.
class Launcher : public TaskSink {
 public:
  Launcher(gpuStream_t stream, int processors, CopyElement element, double scale)
      : stream_(stream),
        most_ctas_(static_cast<unsigned>(processors) * ctas_per_processor),
        type_(scale == 1                            ? bits
              : element.precision == Precision::f32 ? singles
                                                    : doubles) {
    for (auto& of_size : launches_) {
      for (MoveLaunch& launch : of_size) {
        launch.size = 0;
        launch.first_item[0] = 0;
        launch.scale = scale;
      }
    }
  }

  void add(const MoveTask& task, TaskKind kind, std::uint32_t word_bytes) override {
    const int size = size_number(word_bytes);
    MoveLaunch& launch = launches_[size][static_cast<int>(kind)];
    launch.tasks[launch.size] = task;
    const std::uint64_t begin = launch.first_item[launch.size];
    launch.first_item[++launch.size] = begin + items_of(task, kind, word_bytes);
    if (launch.size == most_tasks) flush(size, kind);
  }

  void flush() {
    for (int size = 0; size < 3; ++size) {
      flush(size, TaskKind::rows);
      flush(size, TaskKind::tiles);
    }
  }

 private:
  void flush(int size, TaskKind kind) {
    MoveLaunch& pending = launches_[size][static_cast<int>(kind)];
    if (pending.size == 0) return;
    const MoveKernels& kernels = kernels_for(type_, size);
    const std::uint64_t items = pending.first_item[pending.size];
    launch(kind == TaskKind::rows ? kernels.rows : kernels.tiles,
           static_cast<unsigned>(items < most_ctas_ ? items : most_ctas_), threads, stream_,
           pending);
    pending.size = 0;
  }

  gpuStream_t stream_;
  unsigned most_ctas_;
  WordType type_;
  MoveLaunch launches_[3][2];
};

}  // namespace

void load_move_kernels() {
  for (const WordType type : {bits, singles, doubles}) {
    for (int size = type == doubles ? 1 : 0; size < 3; ++size) {
      load(kernels_for(type, size).rows);
      load(kernels_for(type, size).tiles);
    }
  }
}

void launch_moves(gpuStream_t stream, int processors, std::span<const BlockMove> blocks,
                  CopyElement element, double scale) {
  Launcher launcher(stream, processors, element, scale);
  for (const BlockMove& block : blocks) make_tasks(block, element, launcher);
  launcher.flush();
}

}  // namespace weft
