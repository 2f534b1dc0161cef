#include "local/line_transform.hpp"

#include <algorithm>
#include <cstdlib>

#include "local/library_calls.hpp"
#include "local/line_made.hpp"

namespace weft {

namespace {

/// One pass over the lines of an axis.
class LinesInOnePass : public LocalTransform {
 public:
  LinesInOnePass(const LineRunner& runner, const LocalProblem& problem, MadePass made)
      : runner_(runner), problem_(problem), made_(std::move(made)) {}

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    execute_fused(in, out, work, {});
  }
  bool fuses(const FusedSides& sides) const override { return made_.fuses(runner_, sides); }
  void execute_fused(const std::byte* in, std::byte* out, std::byte*,
                     const FusedSides& sides) const override {
    if (!problem_.real_data && !problem_.any_alignment) check_alignment(problem_, in, out);
    made_.run(runner_, problem_, in, out, sides);
  }

  /// The lines of a block are read to their end before they are written.
  bool works_in_place() const override { return keeps_places(problem_); }

 private:
  LineRunner runner_;
  LocalProblem problem_;
  MadePass made_;
};

bool goes_through_memory(const LocalProblem& problem) {
  return must_keep_input(problem) || (problem.transform.size() > 1 && problem.has_pieces());
}

bool takes_any_pass(const LineRunner& runner, const LocalProblem& problem) {
  return takes_one_line_pass(runner, problem) ||
         (problem.kinds[0] == Kind::c2c && !problem.has_pieces() &&
          (takes_columns(runner, problem) || takes_chirp(runner, problem)));
}

std::unique_ptr<LocalTransform> make_axis(const LineRunner& runner, const LocalProblem& problem) {
  if (takes_one_line_pass(runner, problem)) {
    return std::make_unique<LinesInOnePass>(runner, problem, make_line_pass(runner, problem));
  }
  return takes_columns(runner, problem) ? make_columns(runner, problem)
                                        : make_chirp(runner, problem);
}

bool ends_with_reals(const LocalProblem& problem) {
  return problem.real() && problem.real_output();
}

/// Whether the farthest axis is the first one.
bool begins_far_away(const LocalProblem& problem) {
  return problem.direction == Direction::backward && !ends_with_reals(problem) &&
         problem.transform.size() > 2;
}

}  // namespace

std::vector<Sequence::Step> line_steps(const LocalProblem& problem) {
  AxisList axes;
  for (int axis = 0; axis < problem.transform.size(); ++axis) axes.push_back(axis);
  const auto stride = [&](int axis) { return std::abs(problem.transform[axis].out_stride); };
  std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return stride(a) < stride(b); });
  if (problem.real()) {
    const int halved = problem.transform.size() - 1;
    std::stable_partition(axes.begin(), axes.end(), [&](int axis) { return axis == halved; });
  }
  const bool to_reals = ends_with_reals(problem);
  if (to_reals) std::reverse(axes.begin(), axes.end());
  if (begins_far_away(problem)) std::rotate(axes.begin(), axes.end() - 1, axes.end());
  std::vector<Sequence::Step> steps;
  for (int i = 0; i < axes.size(); ++i) {
    const bool across = to_reals ? i + 1 == axes.size() : i == 0;
    steps.push_back({{axes[i]},
                     across     ? StepPlace::across
                     : to_reals ? StepPlace::in_input
                                : StepPlace::in_output});
  }
  return steps;
}

bool must_keep_input(const LocalProblem& problem) {
  return problem.preserve_input && line_steps(problem)[0].place == StepPlace::in_input;
}

bool supports_lines(const LineRunner& runner, const LocalProblem& problem) {
  if (problem.on_host()) return false;
  const std::vector<Sequence::Step> steps = line_steps(problem);
  // Steps would have to know what the others store.
  if (steps.size() > 1 && is_pruned(problem)) return false;
  problem.stream->device().use();
  if (goes_through_memory(problem)) return takes_through_memory(runner, problem);
  return std::all_of(steps.begin(), steps.end(), [&](const Sequence::Step& step) {
    return takes_any_pass(runner, part_of(problem, step.axes, step.place));
  });
}

std::unique_ptr<LocalTransform> make_lines(const LineRunner& runner, const LocalProblem& problem) {
  if (goes_through_memory(problem)) return make_through_memory(runner, problem);
  const auto make = [&](const LocalProblem& part) -> std::unique_ptr<LocalTransform> {
    if (part.transform.size() == 1) return make_axis(runner, part);
    if (takes_planes(runner, part)) return make_planes(runner, part);
    return std::make_unique<Sequence>(
        part, line_steps(part), [&](const LocalProblem& axis) { return make_axis(runner, axis); });
  };
  std::vector<Sequence::Step> steps = line_steps(problem);
  // The axes that are nearest in memory are those of planes.
  if (steps.size() > 1) {
    const auto first = ends_with_reals(problem)
                           ? steps.end() - 2
                           : steps.begin() + (begins_far_away(problem) ? 1 : 0);
    const auto second = first + 1;
    first->axes.push_back(second->axes[0]);
    if (second->place == StepPlace::across) first->place = StepPlace::across;
    steps.erase(second);
  }
  return std::make_unique<Sequence>(problem, steps, make);
}

}  // namespace weft
