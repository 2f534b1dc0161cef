#include "local/sequence.hpp"

#include <algorithm>

namespace weft {

namespace {

/// Whether a step works on the real side of a problem that has one.
bool on_real_side(const LocalProblem& problem, StepPlace place) {
  return (place == StepPlace::in_input && problem.real_input()) ||
         (place == StepPlace::in_output && problem.real_output());
}

/// Those of a part with these axes; none where the cut one is not among them.
LocalPieces part_of(const LocalPieces& whole, const AxisList& axes) {
  LocalPieces part;
  if (whole.empty() || !axes.contains(whole.axis)) return part;
  part.sums = whole.sums;
  for (const LocalPieces::Piece& piece : whole.pieces) {
    part.pieces.push_back({piece.end, {}, piece.batch});
    for (int axis = 0; axis < piece.transform.size(); ++axis) {
      if (axis == whole.axis) part.axis = part.pieces.back().transform.size();
      const bool is_part = axes.contains(axis);
      (is_part ? part.pieces.back().transform : part.pieces.back().batch)
          .push_back(piece.transform[axis]);
    }
  }
  return part;
}

}  // namespace

LocalProblem part_of(const LocalProblem& problem, const AxisList& axes, StepPlace place) {
  LocalProblem part = problem;
  part.transform.clear();
  part.kinds.clear();
  part.batch.clear();
  part.in_pieces = part_of(problem.in_pieces, axes);
  part.out_pieces = part_of(problem.out_pieces, axes);
  if (place != StepPlace::across) {
    part.in_place = true;
    part.preserve_input = false;
    part.real_data = on_real_side(problem, place);
  }
  const auto placed = [place](LocalAxis axis) {
    if (place == StepPlace::in_input) axis.out_stride = axis.in_stride;
    if (place == StepPlace::in_output) axis.in_stride = axis.out_stride;
    return axis;
  };
  for (const LocalAxis& axis : problem.batch) part.batch.push_back(placed(axis));
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    LocalAxis given = placed(problem.transform[axis]);
    if (axes.contains(axis)) {
      part.transform.push_back(given);
      part.kinds.push_back(problem.kinds[axis]);
      continue;
    }
    const bool halved = problem.kinds[axis] == Kind::r2c && !on_real_side(problem, place);
    if (halved) given.length = given.length / 2 + 1;
    part.batch.push_back(given);
  }
  return part;
}

std::size_t Sequence::work_bytes() const {
  std::size_t bytes = 0;
  for (const Made& step : steps_) bytes = std::max(bytes, step.transform->work_bytes());
  return bytes;
}

bool Sequence::fuses(const FusedSides& sides) const {
  if (steps_.size() == 1) return steps_[0].transform->fuses(sides);
  return steps_.front().transform->fuses({sides.input, {}}) &&
         steps_.back().transform->fuses({{}, sides.output});
}

void Sequence::execute_fused(const std::byte* in, std::byte* out, std::byte* work,
                             const FusedSides& sides) const {
  // Only where the problem allows it is there a step in the input.
  auto* const input = const_cast<std::byte*>(in);
  for (const Made& step : steps_) {
    FusedSides mine;
    if (&step == &steps_.front()) mine.input = sides.input;
    if (&step == &steps_.back()) mine.output = sides.output;
    step.transform->execute_fused(step.place == StepPlace::in_output ? out : input,
                                  step.place == StepPlace::in_input ? input : out, work, mine);
  }
}

bool Sequence::works_in_place() const {
  return keeps_places(problem_) && steps_[0].transform->works_in_place();
}

}  // namespace weft
