#include <algorithm>
#include <cstdlib>

#include "device/alignment.hpp"
#include "local/line_made.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

/// The two parts of a transform of several axes: along some of them to work memory, where numbers
/// lie without gaps, then the rest.
struct Parts {
  LocalProblem to_work, from_work;
  std::size_t work_bytes;
};

/// Those of the first part: where a side is in pieces, the cut axis is alone in its part.
AxisList first_axes(const LocalProblem& problem) {
  const int cut = problem.out_pieces.axis;
  if (cut < 0 && problem.in_pieces.axis >= 0) return {problem.in_pieces.axis};
  AxisList first;
  if (cut < 0) {
    first = line_steps(problem)[0].axes;
  } else {
    for (int axis = 0; axis < problem.transform.size(); ++axis) {
      if (axis != cut) first.push_back(axis);
    }
  }
  return first;
}

Parts parts_of(const LocalProblem& problem) {
  const AxisList first = first_axes(problem);
  const bool halves = problem.real() && problem.direction == Direction::forward;
  LocalProblem to_work = part_of(problem, first, halves ? StepPlace::across : StepPlace::in_input);
  to_work.in_place = false;
  to_work.preserve_input = problem.preserve_input;
  to_work.scale = 1;
  struct Loop {
    LocalAxis* axis;
    Index numbers;
  };
  std::vector<Loop> loops;
  for (int i = 0; i < to_work.transform.size(); ++i) {
    loops.push_back({&to_work.transform[i], whole_points(to_work, i, false)});
  }
  for (LocalAxis& axis : to_work.batch) loops.push_back({&axis, axis.length});
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::abs(a.axis->in_stride) < std::abs(b.axis->in_stride);
  });
  Index numbers = 1;
  for (const Loop& loop : loops) {
    loop.axis->out_stride = numbers;
    numbers *= loop.numbers;
  }

  // The axes of the part stand in the order of those of the problem.
  LocalProblem copied = problem;
  copied.preserve_input = false;
  int transformed = 0, other = 0;
  for (LocalAxis& axis : copied.batch) axis.in_stride = to_work.batch[other++].out_stride;
  AxisList rest;
  for (int axis = 0; axis < copied.transform.size(); ++axis) {
    LocalAxis& of_both = copied.transform[axis];
    const bool is_first = first.contains(axis);
    of_both.in_stride =
        is_first ? to_work.transform[transformed++].out_stride : to_work.batch[other++].out_stride;
    if (!is_first) rest.push_back(axis);
  }
  LocalProblem from_work = part_of(copied, rest, StepPlace::across);
  return {std::move(to_work), std::move(from_work),
          aligned_up(static_cast<std::size_t>(numbers * bytes_of({problem.precision, true})))};
}

class LinesThroughMemory : public LocalTransform {
 public:
  LinesThroughMemory(const LineRunner& runner, const LocalProblem& problem)
      : LinesThroughMemory(runner, parts_of(problem)) {}

  std::size_t work_bytes() const override {
    return copy_bytes_ + std::max(to_work_->work_bytes(), from_work_->work_bytes());
  }
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    execute_fused(in, out, work, {});
  }
  bool fuses(const FusedSides& sides) const override {
    return to_work_->fuses({sides.input, {}}) && from_work_->fuses({{}, sides.output});
  }
  void execute_fused(const std::byte* in, std::byte* out, std::byte* work,
                     const FusedSides& sides) const override {
    std::byte* const beyond = work + copy_bytes_;
    to_work_->execute_fused(in, work, beyond, {sides.input, {}});
    from_work_->execute_fused(work, out, beyond, {{}, sides.output});
  }
  bool works_in_place() const override { return true; }

 private:
  LinesThroughMemory(const LineRunner& runner, const Parts& parts)
      : copy_bytes_(parts.work_bytes),
        to_work_(make_lines(runner, parts.to_work)),
        from_work_(make_lines(runner, parts.from_work)) {}

  std::size_t copy_bytes_;
  std::unique_ptr<LocalTransform> to_work_, from_work_;
};

}  // namespace

bool takes_through_memory(const LineRunner& runner, const LocalProblem& problem) {
  // The cut axis comes first where the input is in pieces, and last where the output is, the halved
  // axis next to the real side.
  const bool in = !problem.in_pieces.empty(), out = !problem.out_pieces.empty();
  const int halved = problem.real() ? problem.transform.size() - 1 : -1;
  if (in && out && problem.in_pieces.axis == problem.out_pieces.axis) return false;
  if (in && (problem.real_input() || problem.in_pieces.axis == halved)) return false;
  if (out && (problem.real_output() || problem.out_pieces.axis == halved)) return false;
  const Parts parts = parts_of(problem);
  return supports_lines(runner, parts.to_work) && supports_lines(runner, parts.from_work);
}

std::unique_ptr<LocalTransform> make_through_memory(const LineRunner& runner,
                                                    const LocalProblem& problem) {
  return std::make_unique<LinesThroughMemory>(runner, problem);
}

}  // namespace weft
