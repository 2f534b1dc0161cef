#include "device/code_tasks.hpp"

#include <algorithm>

#include "device/copy_loops.hpp"

namespace weft {

namespace {

/// Blocks of a task; larger parts are divided.
constexpr Index most_blocks = Index{1} << 30;

/// Blocks of each line.
Index blocks_of_line(const CodedPart& part, Index whole) {
  const Index extent = part.extents[part.axis];
  return (part.first + extent - 1) / whole - part.first / whole + 1;
}

void split_in_two(const CodedPart& part, const BlockShape& shape, Index element_bytes,
                  CodeSink& sink) {
  int longest = part.axis;
  for (int axis = 0; axis < part.extents.size(); ++axis) {
    const bool lines = axis != part.axis && part.extents[axis] > 1;
    if (lines && (longest == part.axis || part.extents[axis] > part.extents[longest])) {
      longest = axis;
    }
  }
  const Index whole = shape.block_elements;
  CodedPart first = part, second = part;
  Index half = part.extents[longest] / 2;
  if (longest == part.axis) {
    half = (part.first + half) / whole * whole - part.first;
    second.first += half;
    second.gap_at -= half;
    if (part.gap_at <= half) second.numbers += part.gap * part.stride[longest] * element_bytes;
  } else {
    second.message += half * part.line_bytes[longest];
  }
  second.numbers += half * part.stride[longest] * element_bytes;
  if (longest == part.axis && part.gap_at <= half) second.gap = 0;
  first.extents[longest] = half;
  second.extents[longest] -= half;
  make_tasks(first, shape, element_bytes, sink);
  make_tasks(second, shape, element_bytes, sink);
}

}  // namespace

void make_tasks(const CodedPart& part, const BlockShape& shape, Index element_bytes,
                CodeSink& sink) {
  if (is_empty(part.extents)) return;
  const Index whole = shape.block_elements;
  const Index line_blocks = blocks_of_line(part, whole);
  CodeTask task;
  task.numbers = part.numbers;
  task.message = part.message;
  task.stride = part.stride[part.axis] * element_bytes;
  task.gap = part.gap * task.stride;
  task.gap_at = part.gap != 0 ? part.gap_at : part.extents[part.axis];
  task.first = part.first;
  task.end = part.first + part.extents[part.axis];
  task.line_begin = part.line_begin;
  task.line_end = part.line_end;
  task.first_block = static_cast<std::uint32_t>(part.first / whole);
  Index blocks = line_blocks;
  struct Candidate {
    Index count, step;
    int axis;
  };
  Axes<Candidate> loops;
  for (int axis = 0; axis < part.extents.size(); ++axis) {
    const bool along = axis == part.axis;
    const Index count = along ? line_blocks : part.extents[axis];
    if (!along) blocks = std::min(blocks * count, most_blocks + 1);
    if (count == 1) continue;
    // Slowest in memory first.
    const Candidate loop{count, part.stride[axis] * (along ? whole : 1), axis};
    loops.push_back(loop);
    int at = loops.size() - 1;
    for (; at > 0 && loops[at - 1].step < loop.step; --at) loops[at] = loops[at - 1];
    loops[at] = loop;
  }
  if (blocks > most_blocks) return split_in_two(part, shape, element_bytes, sink);
  for (const Candidate& loop : loops) {
    CodeTask::Loop& made = task.loop[task.loops];
    made.count = make_divisor(static_cast<std::uint32_t>(loop.count));
    if (loop.axis == part.axis) {
      task.block_loop = task.loops;
    } else {
      made.numbers = loop.step * element_bytes;
      made.message = part.line_bytes[loop.axis];
    }
    ++task.loops;
  }
  if (task.loops > 0) {
    const CodeTask::Loop& fastest = task.loop[task.loops - 1];
    task.across = task.loops - 1 != task.block_loop && fastest.numbers < task.stride;
  }
  task.blocks = static_cast<std::uint32_t>(blocks);
  sink.add(task);
}

}  // namespace weft
