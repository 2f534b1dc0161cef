#include "local/local_transform.hpp"

#include <algorithm>

namespace weft {

namespace {

bool is_spectral(const LocalProblem& problem, bool input) {
  return input == (problem.direction == Direction::backward);
}

}  // namespace

Index whole_points(const LocalProblem& problem, int axis, bool input) {
  const Index n = problem.transform[axis].length;
  return problem.kinds[axis] == Kind::r2c && is_spectral(problem, input) ? n / 2 + 1 : n;
}

Index stored_points(const LocalProblem& problem, int axis, bool input) {
  const LocalAxis& given = problem.transform[axis];
  const Index stored = input ? given.in_points : given.out_points;
  return stored > 0 ? stored : whole_points(problem, axis, input);
}

ModeSplit stored_split(const LocalProblem& problem, int axis, bool input) {
  const Index stored = stored_points(problem, axis, input);
  if (!is_spectral(problem, input)) return {stored, 0};
  return split_modes(problem.kinds[axis], stored);
}

bool is_pruned(const LocalProblem& problem) {
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    for (const bool input : {true, false}) {
      if (stored_points(problem, axis, input) < whole_points(problem, axis, input)) return true;
    }
  }
  return false;
}

bool keeps_places(const LocalProblem& problem) {
  const auto alike = [](const LocalAxis& axis) { return axis.in_stride == axis.out_stride; };
  return !problem.real() &&
         std::all_of(problem.transform.begin(), problem.transform.end(), alike) &&
         std::all_of(problem.batch.begin(), problem.batch.end(), alike);
}

}  // namespace weft
