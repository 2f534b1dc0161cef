#include "local/by_axes.hpp"

#include <algorithm>
#include <vector>

#include "kind/definition.hpp"
#include "local/sequence.hpp"

namespace weft {

namespace {

Index nearest(const LocalProblem& problem, const AxisList& axes) {
  Index stride = problem.transform[axes[0]].in_stride;
  for (int axis : axes) stride = std::min(stride, problem.transform[axis].in_stride);
  return stride;
}

bool is_fourier(const LocalProblem& problem, const Sequence::Step& step) {
  return !is_real_kind(problem.kinds[step.axes[0]]);
}

/// In the order of their execution.
std::vector<Sequence::Step> steps_by_axes(const LocalProblem& problem) {
  AxisList real, fourier;
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    (is_real_kind(problem.kinds[axis]) ? real : fourier).push_back(axis);
  }
  if (real.empty()) return {{fourier, StepPlace::across}};
  if (fourier.empty()) {
    // Contiguous lines first: they are read from memory as it comes.
    std::stable_sort(real.begin(), real.end(), [&](int a, int b) {
      return problem.transform[a].in_stride < problem.transform[b].in_stride;
    });
    std::vector<Sequence::Step> steps;
    for (int axis : real) {
      steps.push_back({{axis}, steps.empty() ? StepPlace::across : StepPlace::in_output});
    }
    return steps;
  }
  if (!problem.real()) {
    const bool real_first = nearest(problem, real) < nearest(problem, fourier);
    return {{real_first ? real : fourier, StepPlace::across},
            {real_first ? fourier : real, StepPlace::in_output}};
  }
  // Real numbers are half the work.
  if (problem.real_input() && !problem.preserve_input) {
    return {{real, StepPlace::in_input}, {fourier, StepPlace::across}};
  }
  return {{fourier, StepPlace::across}, {real, StepPlace::in_output}};
}

}  // namespace

std::unique_ptr<LocalTransform> make_by_axes(const LocalBackend& backend,
                                             const LocalProblem& problem) {
  return std::make_unique<Sequence>(problem, steps_by_axes(problem), [&](const LocalProblem& part) {
    return make_local(backend, part);
  });
}

std::optional<LocalProblem> fourier_part(const LocalProblem& problem) {
  for (const Sequence::Step& step : steps_by_axes(problem)) {
    if (is_fourier(problem, step)) return part_of(problem, step.axes, step.place);
  }
  return std::nullopt;
}

}  // namespace weft
