#include <algorithm>
#include <cstdlib>

#include "device/alignment.hpp"
#include "local/line_made.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

/// The two parts of a transform of several axes to real numbers that keeps its input: along the
/// axis that is farthest in memory to work memory, where numbers lie without gaps, then the rest.
struct Parts {
  LocalProblem to_work, from_work;
  std::size_t work_bytes;
};

Parts parts_of(const LocalProblem& problem) {
  const AxisList first = line_steps(problem)[0].axes;
  LocalProblem to_work = part_of(problem, first, StepPlace::in_input);
  to_work.in_place = false;
  to_work.preserve_input = true;
  to_work.scale = 1;
  std::vector<LocalAxis*> axes{&to_work.transform[0]};
  for (LocalAxis& axis : to_work.batch) axes.push_back(&axis);
  std::stable_sort(axes.begin(), axes.end(), [](const LocalAxis* a, const LocalAxis* b) {
    return std::abs(a->in_stride) < std::abs(b->in_stride);
  });
  Index numbers = 1;
  for (LocalAxis* axis : axes) {
    axis->out_stride = numbers;
    numbers *= axis->length;
  }

  // The axes of the part stand in the order of those of the problem.
  LocalProblem copied = problem;
  copied.preserve_input = false;
  int other = 0;
  for (LocalAxis& axis : copied.batch) axis.in_stride = to_work.batch[other++].out_stride;
  AxisList rest;
  for (int axis = 0; axis < copied.transform.size(); ++axis) {
    const bool is_first = first.contains(axis);
    copied.transform[axis].in_stride =
        is_first ? to_work.transform[0].out_stride : to_work.batch[other++].out_stride;
    if (!is_first) rest.push_back(axis);
  }
  LocalProblem from_work = part_of(copied, rest, StepPlace::across);
  return {std::move(to_work), std::move(from_work),
          aligned_up(static_cast<std::size_t>(numbers * bytes_of({problem.precision, true})))};
}

class LinesWithInputKept : public LocalTransform {
 public:
  LinesWithInputKept(const LineRunner& runner, const LocalProblem& problem)
      : LinesWithInputKept(runner, parts_of(problem)) {}

  std::size_t work_bytes() const override {
    return copy_bytes_ + std::max(to_work_->work_bytes(), from_work_->work_bytes());
  }
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    execute_fused(in, out, work, {});
  }
  bool fuses(const FusedCallbacks& callbacks) const override {
    return to_work_->fuses({callbacks.input, {}}) && from_work_->fuses({{}, callbacks.output});
  }
  void execute_fused(const std::byte* in, std::byte* out, std::byte* work,
                     const FusedCallbacks& callbacks) const override {
    std::byte* const beyond = work + copy_bytes_;
    to_work_->execute_fused(in, work, beyond, {callbacks.input, {}});
    from_work_->execute_fused(work, out, beyond, {{}, callbacks.output});
  }
  bool works_in_place() const override { return true; }

 private:
  LinesWithInputKept(const LineRunner& runner, const Parts& parts)
      : copy_bytes_(parts.work_bytes),
        to_work_(make_lines(runner, parts.to_work)),
        from_work_(make_lines(runner, parts.from_work)) {}

  std::size_t copy_bytes_;
  std::unique_ptr<LocalTransform> to_work_, from_work_;
};

}  // namespace

bool takes_kept_input(const LineRunner& runner, const LocalProblem& problem) {
  const Parts parts = parts_of(problem);
  return supports_lines(runner, parts.to_work) && supports_lines(runner, parts.from_work);
}

std::unique_ptr<LocalTransform> make_kept_input(const LineRunner& runner,
                                                const LocalProblem& problem) {
  return std::make_unique<LinesWithInputKept>(runner, problem);
}

}  // namespace weft
