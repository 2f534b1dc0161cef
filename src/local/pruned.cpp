#include "local/pruned.hpp"

#include <algorithm>
#include <vector>

#include "device/alignment.hpp"
#include "device/host_copy.hpp"
#include "kind/definition.hpp"
#include "local/loops.hpp"
#include "local/padded_stride.hpp"

namespace weft {

namespace {

/// Lines of every step that are worked on together, if there are as many; and bytes side by side.
constexpr Index least_lines = 16;
constexpr Index least_row_bytes = 128;

/// The array between two steps. Where libraries have no pruned lines, the axis just transformed and
/// the one to be transformed next are whole, so that the former is written and the latter read
/// without copies: what is dropped is left out by the next step, what is zero has been zero all the
/// time. Of other axes there is what exists.
struct Between {
  bool complex;
  Index element_bytes;
  Extents extents;  ///< of the loops in a block and the transformed axes
  Strides stride;
  std::size_t offset = 0;  ///< in the memory of a thread
  /// What has to be zero: of this axis, from this element on.
  int padded_axis = 0;
  Index padding_begin = 0, padding = 0;
};

/// Transforms several axes, one after another, of a block of the batch at a time.
class PrunedAxes : public LocalTransform {
 public:
  PrunedAxes(const LocalBackend& backend, const LocalProblem& problem)
      : problem_(problem), order_(order_of(problem)), blocks_(problem.batch, most_in_block()) {
    for (int axis = 0; axis < problem.transform.size(); ++axis) {
      LocalProblem lines = problem;
      lines.transform = {problem.transform[axis]};
      lines.kinds = {problem.kinds[axis]};
      whole_between_.push_back(!backend.supports(lines));
    }
    for (int step = 0; step + 1 < order_.size(); ++step) add_between(step);
    for (const bool smaller : {false, true}) {
      if (smaller && !blocks_.has_smaller()) continue;
      for (int step = 0; step < order_.size(); ++step) add_step(backend, step, smaller);
    }
  }

  std::size_t work_bytes() const override {
    return thread_bytes() * static_cast<std::size_t>(outer_threads());
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    share_out(blocks_.count(), outer_threads(), [&](int thread, Index from, Index to) {
      std::byte* const memory = work + static_cast<std::size_t>(thread) * thread_bytes();
      for (const Between& between : between_) clear_padding(between, memory);
      for (Index number = from; number < to; ++number) {
        const Blocks::Place place = blocks_.place(number);
        for (const Part& part : place.smaller ? smaller_ : parts_) {
          run(part, in + place.in * element_bytes(problem_.real_input()),
              out + place.out * element_bytes(problem_.real_output()), memory);
        }
      }
    });
  }

  /// Blocks are read to their end before they are written.
  bool works_in_place() const override {
    const auto alike = [](const LocalAxis& axis) { return axis.in_stride == axis.out_stride; };
    return !problem_.real() &&
           std::all_of(problem_.transform.begin(), problem_.transform.end(), alike) &&
           std::all_of(problem_.batch.begin(), problem_.batch.end(), alike);
  }

 private:
  /// Lines of a step that make a rectangle on both sides.
  struct Part {
    int step;
    Index in, out;  ///< offsets of the first line, in bytes
    std::unique_ptr<LocalTransform> transform;
  };

  /// An end of a step: the problem's array, or one between steps.
  struct End {
    Index element_bytes;
    Strides loops;
    Strides axes;
  };

  /// Real numbers are half the work. Apart from that, axes that shrink go first and those that grow
  /// last: of two neighbors the order (in_b f(a) + out_a f(b), with the work f of a line) matters
  /// by (out - in) / f of each.
  static AxisList order_of(const LocalProblem& problem) {
    const bool forward = problem.direction == Direction::forward;
    const auto phase = [&](int axis) {
      const Kind kind = problem.kinds[axis];
      if (!problem.real()) return 0;
      const int number = is_real_kind(kind) ? 0 : (kind == Kind::r2c ? 1 : 2);
      return forward ? number : -number;
    };
    const auto growth = [&](int axis) {
      const Index more = stored_points(problem, axis, false) - stored_points(problem, axis, true);
      return static_cast<double>(more) / static_cast<double>(problem.transform[axis].length);
    };
    AxisList order;
    for (int axis = 0; axis < problem.transform.size(); ++axis) order.push_back(axis);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      if (phase(a) != phase(b)) return phase(a) < phase(b);
      if (growth(a) != growth(b)) return growth(a) < growth(b);
      // Contiguous lines are read from memory as it comes.
      return problem.transform[a].in_stride < problem.transform[b].in_stride;
    });
    return order;
  }

  Index element_bytes(bool real) const {
    return (problem_.precision == Precision::f32 ? 4 : 8) * (real ? 1 : 2);
  }

  int outer_threads() const { return blocks_.count() < problem_.threads ? 1 : problem_.threads; }

  /// Elements of the batch that are worked on together.
  Index most_in_block() const {
    Index points = 1, longest = 1, in_nearest = 0, out_nearest = 0;
    for (int axis = 0; axis < problem_.transform.size(); ++axis) {
      const LocalAxis& given = problem_.transform[axis];
      const Index least =
          std::min(stored_points(problem_, axis, true), stored_points(problem_, axis, false));
      points *= least;
      longest = std::max(longest, least);
      in_nearest = axis == 0 ? given.in_stride : std::min(in_nearest, given.in_stride);
      out_nearest = axis == 0 ? given.out_stride : std::min(out_nearest, given.out_stride);
    }
    const Index lines = points / longest;
    Index most = (least_lines + lines - 1) / lines;
    for (const LocalAxis& loop : problem_.batch) {
      if (loop.in_stride < in_nearest || loop.out_stride < out_nearest) {
        most = std::max(most, least_row_bytes / element_bytes(problem_.real_data));
      }
    }
    return most;
  }

  /// Whether numbers are real once a step has been made.
  bool real_after(int step) const {
    if (!problem_.real()) return problem_.real_data;
    bool real = problem_.real_input();
    for (int i = 0; i <= step; ++i) {
      if (problem_.kinds[order_[i]] == Kind::r2c) real = !real;
    }
    return real;
  }

  /// Elements of an axis, as it exists between this step and the next.
  Index stored_after(int step, int axis) const {
    const int* const at = std::find(order_.begin(), order_.end(), axis);
    return stored_points(problem_, axis, at - order_.begin() > step);
  }

  void add_between(int step) {
    Between between;
    const int done = order_[step], next = order_[step + 1];
    between.complex = !real_after(step);
    between.element_bytes = element_bytes(!between.complex);
    Axes<LocalAxis> all = blocks_.inside(false);
    for (const LocalAxis& loop : all) between.extents.push_back(loop.length);
    const int loops = all.size();
    for (int axis = 0; axis < problem_.transform.size(); ++axis) {
      all.push_back(problem_.transform[axis]);
      const bool whole = (axis == done || axis == next) && whole_between_[axis];
      between.extents.push_back(whole ? whole_points(problem_, axis, axis == next)
                                      : stored_after(step, axis));
    }
    between.padded_axis = loops + next;
    between.padding_begin = stored_split(problem_, next, true).begin;
    between.padding = between.extents[loops + next] - stored_points(problem_, next, true);
    // In the order of the input.
    AxisList order;
    for (int i = 0; i < all.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return all[a].in_stride < all[b].in_stride; });
    between.stride = Strides::filled(all.size(), 0);
    Index distance = 1;
    for (int i : order) {
      between.stride[i] = distance;
      if (between.extents[i] > 1) {
        distance = padded_stride(distance * between.extents[i], between.element_bytes);
      }
    }
    between.offset = bytes_;
    bytes_ += aligned_up(static_cast<std::size_t>(distance * between.element_bytes));
    between_.push_back(between);
  }

  /// Where a step reads from or writes to.
  End end(int step, bool input) const {
    const int number = input ? step - 1 : step;
    End end;
    if (number < 0 || number == static_cast<int>(between_.size())) {
      end.element_bytes = element_bytes(input ? problem_.real_input() : problem_.real_output());
      const auto stride = [&](const LocalAxis& axis) {
        return input ? axis.in_stride : axis.out_stride;
      };
      for (const LocalAxis& loop : blocks_.inside(false)) end.loops.push_back(stride(loop));
      for (const LocalAxis& axis : problem_.transform) end.axes.push_back(stride(axis));
      return end;
    }
    const Between& between = between_[static_cast<std::size_t>(number)];
    end.element_bytes = between.element_bytes;
    for (int i = 0; i < between.stride.size(); ++i) {
      const bool loop = i < between.stride.size() - problem_.transform.size();
      (loop ? end.loops : end.axes).push_back(between.stride[i]);
    }
    return end;
  }

  void add_step(const LocalBackend& backend, int step, bool smaller) {
    const int axis = order_[step];
    const bool first = step == 0, last = step + 1 == order_.size();
    const End from = end(step, true), to = end(step, false);
    LocalProblem part = problem_;
    part.kinds = {problem_.kinds[axis]};
    const LocalAxis& given = problem_.transform[axis];
    const bool in_pruned = first || !whole_between_[axis];
    const bool out_pruned = last || !whole_between_[axis];
    part.transform = {{given.length, from.axes[axis], to.axes[axis],
                       in_pruned ? given.in_points : 0, out_pruned ? given.out_points : 0}};
    part.batch = blocks_.inside(smaller);
    for (int loop = 0; loop < part.batch.size(); ++loop) {
      part.batch[loop].in_stride = from.loops[loop];
      part.batch[loop].out_stride = to.loops[loop];
    }
    part.in_place = false;
    const bool has_padding = !first && between_[static_cast<std::size_t>(step) - 1].padding > 0;
    part.preserve_input = first ? problem_.preserve_input : has_padding;
    part.any_alignment = true;
    part.threads = outer_threads() == 1 ? problem_.threads : 1;
    part.real_data = real_after(step - 1) && real_after(step);

    // An axis in two pieces where it is whole: before this step, or after it.
    const bool forward = problem_.direction == Direction::forward;
    int cut = forward ? (first ? -1 : order_[step - 1]) : (last ? -1 : order_[step + 1]);
    if (cut >= 0 && !whole_between_[cut]) cut = -1;
    for (int other = 0; other < problem_.transform.size(); ++other) {
      if (other == axis || other == cut) continue;
      part.batch.push_back({stored_after(step, other), from.axes[other], to.axes[other]});
    }
    if (cut < 0) return add_part(backend, part, step, 0, 0, smaller);
    const ModeSplit stored = stored_split(problem_, cut, !forward);
    const Index whole = whole_points(problem_, cut, !forward);
    const auto add_piece = [&](Index length, Index compact, Index in_whole) {
      if (length == 0) return;
      LocalProblem piece = part;
      piece.batch.push_back({length, from.axes[cut], to.axes[cut]});
      add_part(backend, piece, step,
               (forward ? in_whole : compact) * from.axes[cut] * from.element_bytes,
               (forward ? compact : in_whole) * to.axes[cut] * to.element_bytes, smaller);
    };
    if (stored.begin + stored.end == whole) return add_piece(whole, 0, 0);
    add_piece(stored.begin, 0, 0);
    add_piece(stored.end, stored.begin, whole - stored.end);
  }

  void add_part(const LocalBackend& backend, const LocalProblem& problem, int step, Index in,
                Index out, bool smaller) {
    auto transform = make_local(backend, problem);
    transform_bytes_ = std::max(transform_bytes_, aligned_up(transform->work_bytes()));
    (smaller ? smaller_ : parts_).push_back({step, in, out, std::move(transform)});
  }

  std::size_t thread_bytes() const { return bytes_ + transform_bytes_; }

  void run(const Part& part, const std::byte* in, std::byte* out, std::byte* memory) const {
    const auto step = static_cast<std::size_t>(part.step);
    const std::byte* const from = step == 0 ? in : memory + between_[step - 1].offset;
    std::byte* const to = step == between_.size() ? out : memory + between_[step].offset;
    part.transform->execute(from + part.in, to + part.out, memory + bytes_);
  }

  void clear_padding(const Between& between, std::byte* memory) const {
    Extents extents = between.extents;
    extents[between.padded_axis] = between.padding;
    const Index offset = between.padding_begin * between.stride[between.padded_axis];
    clear_block(extents, {memory + between.offset + offset * between.element_bytes, between.stride},
                {problem_.precision, between.complex});
  }

  LocalProblem problem_;
  AxisList order_;
  Blocks blocks_;
  Axes<bool> whole_between_;  ///< axes that are so before and after their step
  std::vector<Between> between_;
  std::vector<Part> parts_, smaller_;  ///< of blocks, and of smaller ones; step by step
  std::size_t bytes_ = 0;              ///< of arrays between steps
  std::size_t transform_bytes_ = 0;    ///< that parts need
};

}  // namespace

std::unique_ptr<LocalTransform> make_pruned(const LocalBackend& backend,
                                            const LocalProblem& problem) {
  if (problem.transform.size() == 1) return make_pruned_lines(backend, problem);
  return std::make_unique<PrunedAxes>(backend, problem);
}

}  // namespace weft
