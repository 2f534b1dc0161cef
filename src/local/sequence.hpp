#pragma once

#include <memory>
#include <span>
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
class Sequence : public LocalTransform {
 public:
  struct Step {
    AxisList axes;
    StepPlace place;
  };

  /// make(part) makes the transform of a step; the last one scales.
  template <class Make>
  Sequence(const LocalProblem& problem, std::span<const Step> steps, const Make& make)
      : problem_(problem) {
    for (const Step& step : steps) {
      LocalProblem part = part_of(problem, step.axes, step.place);
      if (&step != &steps.back()) part.scale = 1;
      steps_.push_back({step.place, make(part)});
    }
  }

  std::size_t work_bytes() const override;
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    execute_fused(in, out, work, {});
  }
  bool fuses(const FusedSides& sides) const override;
  void execute_fused(const std::byte* in, std::byte* out, std::byte* work,
                     const FusedSides& sides) const override;
  bool works_in_place() const override;

 private:
  struct Made {
    StepPlace place;
    std::unique_ptr<LocalTransform> transform;
  };

  LocalProblem problem_;
  std::vector<Made> steps_;
};

}  // namespace weft
