#include "local/composed.hpp"

#include <algorithm>
#include <vector>

#include "kind/definition.hpp"

namespace weft {

namespace {

bool alike(const Axes<LocalAxis>& axes) {
  return std::all_of(axes.begin(), axes.end(),
                     [](const LocalAxis& axis) { return axis.in_stride == axis.out_stride; });
}

/// One step leads from input to output; those before work in place in the input, those after in the
/// output.
class ComposedTransform : public LocalTransform {
 public:
  ComposedTransform(const LocalBackend& backend, const LocalProblem& problem) : problem_(problem) {
    AxisList real, fourier;
    for (int axis = 0; axis < problem.transform.size(); ++axis) {
      (is_real_kind(problem.kinds[axis]) ? real : fourier).push_back(axis);
    }
    if (fourier.empty()) {
      add_one_by_one(backend, real);
    } else if (!problem.real()) {
      const bool real_first = nearest(real) < nearest(fourier);
      add_step(backend, real_first ? real : fourier, Place::across);
      add_step(backend, real_first ? fourier : real, Place::in_output);
    } else if (problem.real_input() && !problem.preserve_input) {
      // Real numbers are half the work.
      add_step(backend, real, Place::in_input);
      add_step(backend, fourier, Place::across);
    } else {
      add_step(backend, fourier, Place::across);
      add_step(backend, real, Place::in_output);
    }
  }

  std::size_t work_bytes() const override {
    std::size_t bytes = 0;
    for (const Step& step : steps_) bytes = std::max(bytes, step.transform->work_bytes());
    return bytes;
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    // Only where the problem allows it is there a step in the input.
    auto* const input = const_cast<std::byte*>(in);
    for (const Step& step : steps_) {
      step.transform->execute(step.place == Place::in_output ? out : input,
                              step.place == Place::in_input ? input : out, work);
    }
  }

  bool works_in_place() const override {
    return !problem_.real() && alike(problem_.transform) && alike(problem_.batch) &&
           steps_[0].transform->works_in_place();
  }

 private:
  enum class Place { across, in_input, in_output };
  struct Step {
    Place place;
    std::unique_ptr<LocalTransform> transform;
  };

  Index nearest(const AxisList& axes) const {
    Index stride = problem_.transform[axes[0]].in_stride;
    for (int axis : axes) stride = std::min(stride, problem_.transform[axis].in_stride);
    return stride;
  }

  /// Contiguous lines first: they are read from memory as it comes.
  void add_one_by_one(const LocalBackend& backend, AxisList axes) {
    std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) {
      return problem_.transform[a].in_stride < problem_.transform[b].in_stride;
    });
    for (int axis : axes)
      add_step(backend, {axis}, steps_.empty() ? Place::across : Place::in_output);
  }

  /// Whether a step works on the real side of a problem that has one.
  bool on_real_side(Place place) const {
    return (place == Place::in_input && problem_.real_input()) ||
           (place == Place::in_output && problem_.real_output());
  }

  void add_step(const LocalBackend& backend, const AxisList& axes, Place place) {
    LocalProblem part = problem_;
    part.transform.clear();
    part.kinds.clear();
    part.batch.clear();
    if (place != Place::across) {
      part.in_place = true;
      part.preserve_input = false;
      part.real_data = on_real_side(place);
    }
    const auto placed = [place](LocalAxis axis) {
      if (place == Place::in_input) axis.out_stride = axis.in_stride;
      if (place == Place::in_output) axis.in_stride = axis.out_stride;
      return axis;
    };
    for (const LocalAxis& axis : problem_.batch) part.batch.push_back(placed(axis));
    for (int axis = 0; axis < problem_.transform.size(); ++axis) {
      LocalAxis given = placed(problem_.transform[axis]);
      if (axes.contains(axis)) {
        part.transform.push_back(given);
        part.kinds.push_back(problem_.kinds[axis]);
        continue;
      }
      const bool halved = problem_.kinds[axis] == Kind::r2c && !on_real_side(place);
      if (halved) given.length = given.length / 2 + 1;
      part.batch.push_back(given);
    }
    steps_.push_back({place, make_local(backend, part)});
  }

  LocalProblem problem_;
  std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<LocalTransform> make_composed(const LocalBackend& backend,
                                              const LocalProblem& problem) {
  return std::make_unique<ComposedTransform>(backend, problem);
}

}  // namespace weft
