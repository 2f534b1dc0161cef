#pragma once

#include <memory>
#include <vector>

#include "local/local_transform.hpp"

namespace weft {

/// Where a step of a transform made of several works: one leads from input to output; those before
/// it work in place in the input, those after it in the output.
enum class StepPlace { across, in_input, in_output };

/// The part of a problem that is left to one step: of these axes, the others are loops.
LocalProblem part_of(const LocalProblem& problem, const AxisList& axes, StepPlace place);

/// A transform made of several, one after another. Steps in the input are for problems that need
/// not preserve it.
class StepSequence : public LocalTransform {
 public:
  explicit StepSequence(const LocalProblem& problem) : problem_(problem) {}
  void add(StepPlace place, std::unique_ptr<LocalTransform> transform);

  std::size_t work_bytes() const override;
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override;
  bool works_in_place() const override;

 private:
  struct Step {
    StepPlace place;
    std::unique_ptr<LocalTransform> transform;
  };

  LocalProblem problem_;
  std::vector<Step> steps_;
};

}  // namespace weft
