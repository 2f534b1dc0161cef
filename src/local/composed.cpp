#include "local/composed.hpp"

#include <algorithm>

#include "kind/definition.hpp"
#include "local/step_sequence.hpp"

namespace weft {

namespace {

Index nearest(const LocalProblem& problem, const AxisList& axes) {
  Index stride = problem.transform[axes[0]].in_stride;
  for (int axis : axes) stride = std::min(stride, problem.transform[axis].in_stride);
  return stride;
}

}  // namespace

std::unique_ptr<LocalTransform> make_composed(const LocalBackend& backend,
                                              const LocalProblem& problem) {
  auto sequence = std::make_unique<StepSequence>(problem);
  const auto add = [&](const AxisList& axes, Place place) {
    sequence->add(place, make_local(backend, part_of(problem, axes, place)));
  };
  AxisList real, fourier;
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    (is_real_kind(problem.kinds[axis]) ? real : fourier).push_back(axis);
  }
  if (fourier.empty()) {
    // Contiguous lines first: they are read from memory as it comes.
    std::stable_sort(real.begin(), real.end(), [&](int a, int b) {
      return problem.transform[a].in_stride < problem.transform[b].in_stride;
    });
    for (int i = 0; i < real.size(); ++i) add({real[i]}, i == 0 ? Place::across : Place::in_output);
  } else if (!problem.real()) {
    const bool real_first = nearest(problem, real) < nearest(problem, fourier);
    add(real_first ? real : fourier, Place::across);
    add(real_first ? fourier : real, Place::in_output);
  } else if (problem.real_input() && !problem.preserve_input) {
    // Real numbers are half the work.
    add(real, Place::in_input);
    add(fourier, Place::across);
  } else {
    add(fourier, Place::across);
    add(real, Place::in_output);
  }
  return sequence;
}

}  // namespace weft
