#include <algorithm>

#include "device/alignment.hpp"
#include "device/host_copy.hpp"
#include "local/loops.hpp"
#include "local/padded_stride.hpp"
#include "local/pruned.hpp"

namespace weft {

namespace {

/// One side of a group of lines.
struct Side {
  bool pruned;  ///< lines are whole in a buffer; otherwise they are where the problem has them
  Index points;
  ModeSplit stored;
  Strides memory;  ///< of the line and of the loops in a group, where the problem has them
  Strides buffer;
  CopyElement element;
  Index element_bytes;
  Index buffer_bytes = 0;

  const Strides& whole() const { return pruned ? buffer : memory; }
  /// Between the elements at the begin and those at the end.
  Index gap() const { return points - stored.begin - stored.end; }
};

class PrunedLines : public LocalTransform {
 public:
  PrunedLines(const LocalBackend& backend, const LocalProblem& problem)
      : problem_(problem), blocks_(problem.batch, lines_of_group(problem)) {
    in_ = side(true);
    out_ = side(false);
    whole_ = make_group(backend, false);
    if (blocks_.has_smaller()) rest_ = make_group(backend, true);
    transform_bytes_ = whole_->work_bytes();
    if (rest_ != nullptr) transform_bytes_ = std::max(transform_bytes_, rest_->work_bytes());
    transform_bytes_ = aligned_up(transform_bytes_);
  }

  std::size_t work_bytes() const override {
    const int threads = blocks_.count() == 1 ? 1 : problem_.threads;
    return thread_bytes() * static_cast<std::size_t>(threads);
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    share_out(blocks_.count(), problem_.threads, [&](int thread, Index from, Index to) {
      std::byte* const memory = work + static_cast<std::size_t>(thread) * thread_bytes();
      // Transforms leave the padding as it is.
      if (in_.pruned) clear_padding(memory);
      for (Index number = from; number < to; ++number) run_group(number, in, out, memory);
    });
  }

  /// Groups are read to their end before they are written.
  bool works_in_place() const override { return keeps_places(problem_); }

 private:
  static Index element_bytes(const LocalProblem& problem, bool input) {
    const bool real = input ? problem.real_input() : problem.real_output();
    return (problem.precision == Precision::f32 ? 4 : 8) * (real ? 1 : 2);
  }

  /// A group should stay in cache, but if possible take as many lines as fill cache lines; and the
  /// longest lines should not take all memory.
  static Index lines_of_group(const LocalProblem& problem) {
    constexpr Index group_bytes = 64 * 1024, row_bytes = 128, most_bytes = 16 * 1024 * 1024;
    const Index bytes = std::max(element_bytes(problem, true), element_bytes(problem, false));
    const Index line_bytes = problem.transform[0].length * bytes;
    const Index lines = std::max(group_bytes / line_bytes, row_bytes / bytes);
    return std::max<Index>(std::min(lines, most_bytes / line_bytes), 1);
  }

  Side side(bool input) const {
    const LocalAxis& axis = problem_.transform[0];
    Side side;
    side.points = whole_points(problem_, 0, input);
    side.stored = stored_split(problem_, 0, input);
    side.pruned = side.gap() > 0;
    side.element = {problem_.precision, !(input ? problem_.real_input() : problem_.real_output())};
    side.element_bytes = element_bytes(problem_, input);
    const Axes<LocalAxis> loops = blocks_.inside(false);
    side.memory.push_back(input ? axis.in_stride : axis.out_stride);
    bool contiguous = true;
    Index lines = 1;
    for (const LocalAxis& loop : loops) {
      side.memory.push_back(input ? loop.in_stride : loop.out_stride);
      contiguous = contiguous && side.memory[0] < side.memory.back();
      lines *= loop.length;
    }
    // Contiguous lines or lines side by side, so that copies go along cache lines.
    side.buffer = side.memory;
    side.buffer[0] = contiguous ? 1 : lines;
    Index distance = contiguous ? padded_stride(side.points, side.element_bytes) : 1;
    for (int loop = loops.size() - 1; loop >= 0; --loop) {
      side.buffer[loop + 1] = distance;
      distance *= loops[loop].length;
    }
    if (side.pruned) {
      const Index elements = contiguous ? distance : lines * side.points;
      side.buffer_bytes =
          static_cast<Index>(aligned_up(static_cast<std::size_t>(elements * side.element_bytes)));
    }
    return side;
  }

  std::unique_ptr<LocalTransform> make_group(const LocalBackend& backend, bool smaller) const {
    LocalProblem group = problem_;
    const Strides &in = in_.whole(), &out = out_.whole();
    group.transform = {{problem_.transform[0].length, in[0], out[0]}};
    group.batch = blocks_.inside(smaller);
    for (int loop = 0; loop < group.batch.size(); ++loop) {
      group.batch[loop].in_stride = in[loop + 1];
      group.batch[loop].out_stride = out[loop + 1];
    }
    group.in_place = false;
    group.preserve_input = problem_.preserve_input || in_.pruned;
    group.any_alignment = true;
    group.threads = blocks_.count() == 1 ? problem_.threads : 1;
    return make_local(backend, group);
  }

  std::size_t thread_bytes() const {
    return static_cast<std::size_t>(in_.buffer_bytes + out_.buffer_bytes) + transform_bytes_;
  }

  void run_group(Index number, const std::byte* in, std::byte* out, std::byte* memory) const {
    const Blocks::Place place = blocks_.place(number);
    in += place.in * in_.element_bytes;
    out += place.out * out_.element_bytes;
    std::byte* const in_buffer = memory;
    std::byte* const out_buffer = in_buffer + in_.buffer_bytes;
    std::byte* const rest = out_buffer + out_.buffer_bytes;
    if (in_.pruned) {
      for_stored(in_, place.smaller, [&](const Extents& extents, Index at, Index buffer_at) {
        copy_block(extents, {in_buffer + buffer_at, in_.buffer}, {in + at, in_.memory}, in_.element,
                   Store::cached);
      });
    }
    (place.smaller ? *rest_ : *whole_)
        .execute(in_.pruned ? in_buffer : in, out_.pruned ? out_buffer : out, rest);
    if (out_.pruned) {
      for_stored(out_, place.smaller, [&](const Extents& extents, Index at, Index buffer_at) {
        copy_block(extents, {out + at, out_.memory}, {out_buffer + buffer_at, out_.buffer},
                   out_.element, Store::cached);
      });
    }
  }

  /// visit(extents, offset, offset in the buffer) of the elements at the begin and those at the end
  template <class Visit>
  void for_stored(const Side& side, bool smaller, const Visit& visit) const {
    const ModeSplit& stored = side.stored;
    visit(extents(smaller, stored.begin), 0, 0);
    visit(extents(smaller, stored.end), stored.begin * side.memory[0] * side.element_bytes,
          (side.points - stored.end) * side.buffer[0] * side.element_bytes);
  }

  /// `count` elements of all lines of a group.
  Extents extents(bool smaller, Index count) const {
    Extents extents{count};
    for (const LocalAxis& loop : blocks_.inside(smaller)) extents.push_back(loop.length);
    return extents;
  }

  void clear_padding(std::byte* buffer) const {
    const Index offset = in_.stored.begin * in_.buffer[0] * in_.element_bytes;
    clear_block(extents(false, in_.gap()), {buffer + offset, in_.buffer}, in_.element);
  }

  LocalProblem problem_;
  Blocks blocks_;  ///< groups of lines
  Side in_, out_;
  std::unique_ptr<LocalTransform> whole_;
  std::unique_ptr<LocalTransform> rest_;  ///< null where the last group is like the others
  std::size_t transform_bytes_ = 0;
};

}  // namespace

std::unique_ptr<LocalTransform> make_pruned_lines(const LocalBackend& backend,
                                                  const LocalProblem& problem) {
  return std::make_unique<PrunedLines>(backend, problem);
}

}  // namespace weft
