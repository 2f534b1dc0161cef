#include "device/move_tasks.hpp"

#include <algorithm>
#include <bit>

#include "device/copy_loops.hpp"

namespace weft {

namespace {

/// Loops have at most this many steps and blocks this many parts; larger ones are divided.
constexpr std::uint64_t most_parts = std::uint64_t{1} << 30;
constexpr std::uint32_t widest_word = 16;

std::uint32_t ceil_log2(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::bit_width(value - 1));
}

/// Loops of words, slowest in the target first. A complex number may become a loop, so there can be
/// one more than an array has axes.
struct WordLoops {
  static constexpr int capacity = Axes<CopyLoop>::capacity + 1;

  CopyLoop loops[capacity];
  int size = 0;
  std::byte* to;
  const std::byte* from;
  std::uint32_t word;

  CopyLoop& inner() { return loops[size - 1]; }
  void remove(int at) {
    std::copy(loops + at + 1, loops + size, loops + at);
    --size;
  }
};

/// In words of one real number. A complex one needs no larger alignment than that.
WordLoops loops_of_reals(const BlockMove& block, CopyElement element) {
  WordLoops result;
  result.to = block.to.data;
  result.from = block.from.data;
  result.word = element.precision == Precision::f32 ? 4 : 8;
  for (const CopyLoop& loop : ordered_loops(block.extents, block.to.stride, block.from.stride)) {
    result.loops[result.size++] = loop;
  }
  if (!element.complex) return result;
  const bool run = result.size > 0 && result.inner().to == 1 && result.inner().from == 1;
  for (int i = 0; i < result.size; ++i) {
    result.loops[i].to *= 2;
    result.loops[i].from *= 2;
  }
  if (run) {
    result.inner() = {result.inner().count * 2, 1, 1};
  } else {
    result.loops[result.size++] = {2, 1, 1};
  }
  return result;
}

/// Doubles the words while runs, distances and addresses are multiples of that.
void widen(WordLoops& block) {
  while (block.word < widest_word && block.size > 0) {
    const CopyLoop& inner = block.inner();
    if (inner.to != 1 || inner.from != 1 || inner.count % 2 != 0) return;
    const auto address =
        reinterpret_cast<std::uintptr_t>(block.to) | reinterpret_cast<std::uintptr_t>(block.from);
    if (address % (2 * block.word) != 0) return;
    for (int i = 0; i < block.size - 1; ++i) {
      if (block.loops[i].to % 2 != 0 || block.loops[i].from % 2 != 0) return;
    }
    for (int i = 0; i < block.size - 1; ++i) {
      block.loops[i].to /= 2;
      block.loops[i].from /= 2;
    }
    block.word *= 2;
    block.inner().count /= 2;
    if (block.inner().count == 1) --block.size;
  }
}

/// Of the two axes of a tile: as square as the block allows.
void choose_part(MoveTask& task, std::uint32_t word_bytes) {
  const std::uint32_t tile = tile_bytes_log2 - ceil_log2(word_bytes);
  const std::uint32_t a = std::max(ceil_log2(task.a.count), least_side_log2);
  const std::uint32_t b = std::max(ceil_log2(task.b.count), least_side_log2);
  task.a.part_log2 =
      std::min({a, std::max(tile / 2, tile - std::min(b, tile)), tile - least_side_log2});
  task.b.part_log2 = std::min(b, tile - task.a.part_log2);
}

MoveTask::Side side_of(const CopyLoop& loop) {
  return {loop.to, loop.from, static_cast<std::uint32_t>(loop.count), 0, {}};
}

/// Parts of a side; the division is by their number.
std::uint64_t divide_into_parts(MoveTask::Side& side) {
  const std::uint32_t parts = ((side.count - 1) >> side.part_log2) + 1;
  side.parts = make_divisor(parts);
  return parts;
}

void split_in_two(const WordLoops& block, int at, TaskSink& sink);

void add_tasks(WordLoops block, TaskSink& sink) {
  int longest = 0;
  for (int i = 1; i < block.size; ++i) {
    if (block.loops[i].count > block.loops[longest].count) longest = i;
  }
  if (block.size > 0 && static_cast<std::uint64_t>(block.loops[longest].count) > most_parts) {
    return split_in_two(block, longest, sink);
  }
  const WordLoops whole = block;
  MoveTask task;
  task.to = block.to;
  task.from = block.from;
  TaskKind kind = TaskKind::rows;
  if (block.size > 0) {
    task.a = side_of(block.inner());
    --block.size;
    int fastest = -1;
    std::int64_t least = task.a.from;
    for (int i = 0; i < block.size; ++i) {
      if (block.loops[i].from >= least) continue;
      fastest = i;
      least = block.loops[i].from;
    }
    if (fastest >= 0) {
      kind = TaskKind::tiles;
      task.b = side_of(block.loops[fastest]);
      block.remove(fastest);
      choose_part(task, block.word);
    } else {
      // Whole parts keep all lanes busy and need fewer divisions, if there are few cut ones.
      const std::uint64_t part = std::uint64_t{1} << row_part_log2;
      const std::uint64_t rounded = (task.a.count + part - 1) / part * part;
      if (rounded - task.a.count <= task.a.count / 4) task.a.part_log2 = row_part_log2;
    }
  }
  std::uint64_t parts = divide_into_parts(task.a) * divide_into_parts(task.b);
  for (int i = 0; i < block.size && parts <= most_parts; ++i) {
    parts *= static_cast<std::uint64_t>(block.loops[i].count);
    task.loop[i] = make_divisor(static_cast<std::uint32_t>(block.loops[i].count));
    task.loop_to[i] = block.loops[i].to;
    task.loop_from[i] = block.loops[i].from;
  }
  if (parts > most_parts) return split_in_two(whole, longest, sink);
  task.loops = static_cast<std::uint32_t>(block.size);
  task.parts = static_cast<std::uint32_t>(parts);
  sink.add(task, kind, block.word);
}

void split_in_two(const WordLoops& block, int at, TaskSink& sink) {
  const CopyLoop& loop = block.loops[at];
  WordLoops first = block, second = block;
  first.loops[at].count = loop.count / 2;
  second.loops[at].count = loop.count - loop.count / 2;
  const Index word = block.word;
  second.to += loop.count / 2 * loop.to * word;
  second.from += loop.count / 2 * loop.from * word;
  add_tasks(first, sink);
  add_tasks(second, sink);
}

}  // namespace

void make_tasks(const BlockMove& block, CopyElement element, TaskSink& sink) {
  if (is_empty(block.extents)) return;
  WordLoops loops = loops_of_reals(block, element);
  widen(loops);
  add_tasks(loops, sink);
}

}  // namespace weft
