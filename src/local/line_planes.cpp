#include <algorithm>

#include "local/library_calls.hpp"
#include "local/line_made.hpp"
#include "local/line_transform.hpp"
#include "weft/kernels/line_access.hpp"
#include "weft/kernels/line_shape.hpp"

namespace weft {

namespace {

/// Two axes, in one kernel where they are those of planes, otherwise in two.
class LinesInPlanes : public LocalTransform {
 public:
  LinesInPlanes(const LineRunner& runner, const LocalProblem& problem)
      : runner_(runner), problem_(problem) {
    const std::vector<Sequence::Step> steps = line_steps(problem);
    if (problem.direction == Direction::backward && !problem.real()) {
      // To end with the lines that are nearest in memory takes less time (H200, single precision:
      // 512 points 0.94, 256 points 0.99), and their callbacks too; mixed blocks take more (1.05).
      std::vector<Sequence::Step> turned = steps;
      std::swap(turned[0].axes, turned[1].axes);
      enter_planes(turned);
      if (pass_.mixed) kernel_.reset();
    }
    if (!kernel_) enter_planes(steps);
    if (!kernel_) {
      enter_passes(steps, false);
      return;
    }
    const std::size_t bytes = pass_.planes * sizeof(std::uint32_t);
    finished_ = Buffer(problem.stream->device(), bytes);
    problem.stream->clear(finished_.data(), bytes);
    problem.stream->synchronize();
    pass_.finished = reinterpret_cast<std::uint32_t*>(finished_.data());
  }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    execute_fused(in, out, work, {});
  }
  bool fuses(const FusedSides& sides) const override {
    return first_.fuses(runner_, {sides.input, {}}) && second_.fuses(runner_, {{}, sides.output});
  }
  void execute_fused(const std::byte* in, std::byte* out, std::byte*,
                     const FusedSides& sides) const override {
    if (!problem_.real_data && !problem_.any_alignment) check_alignment(problem_, in, out);
    // Only where the problem allows it is there a step in the input.
    auto* const input = const_cast<std::byte*>(in);
    std::byte* const between = first_place_ == StepPlace::in_input ? input : out;
    if (kernel_) {
      PlanePass<> placed = pass_;
      placed.first.in.data = input;
      placed.first.out.data = placed.second.in.data = between;
      placed.second.out.data = out;
      if (sides.empty()) {
        return runner_.run_planes(*problem_.stream, problem_.precision, *kernel_, placed);
      }
      if (run_in_one_kernel(placed, sides)) return;
    }
    first_.run(runner_, problem_, input, between, {sides.input, {}});
    second_.run(runner_, problem_, between, out, {{}, sides.output});
  }

  bool works_in_place() const override { return keeps_places(problem_); }

 private:
  void enter_passes(const std::vector<Sequence::Step>& steps, bool in_planes) {
    LocalProblem first = part_of(problem_, steps[0].axes, steps[0].place);
    const LocalProblem second = part_of(problem_, steps[1].axes, steps[1].place);
    first.scale = 1;
    first_ = make_line_pass(runner_, first, in_planes);
    second_ = make_line_pass(runner_, second, in_planes);
    first_place_ = steps[0].place;
    pass_ = {};
    pass_.first = first_.pass;
    pass_.second = second_.pass;
    pass_.first_lines = static_cast<std::uint32_t>(whole_points(second, 0, true));
    pass_.second_lines = static_cast<std::uint32_t>(whole_points(first, 0, false));
  }
  void enter_planes(const std::vector<Sequence::Step>& steps) {
    enter_passes(steps, true);
    if (share_planes()) kernel_ = runner_.prepare_planes(problem_.precision, pass_);
  }
  /// Whether lines of either pass come plane by plane, the same planes.
  bool share_planes() {
    const LinePass &first = pass_.first, &second = pass_.second;
    // Other forms join lines.
    if (first.lines == 0 || !stockham::is_of_whole_lines(first.form) ||
        !stockham::is_of_whole_lines(second.form) || pass_.first_lines == 1 ||
        pass_.second_lines == 1) {
      return false;
    }
    pass_.planes = first.lines / pass_.first_lines;
    const auto written = [&](std::uint32_t line) {
      return stockham::locate(first, first.out, line).at;
    };
    const auto read = [&](std::uint32_t line) {
      return stockham::locate(second, second.in, line).at;
    };
    for (std::uint32_t plane = 0; plane < pass_.planes; ++plane) {
      const std::uint32_t a = plane * pass_.first_lines, b = plane * pass_.second_lines;
      if (written(a) != read(b) || written(a + 1) - written(a) != second.in.step ||
          read(b + 1) - read(b) != first.out.step) {
        return false;
      }
    }
    return true;
  }

  /// False where no kernel for planes applies these callbacks.
  bool run_in_one_kernel(const PlanePass<>& placed, const FusedSides& sides) const {
    if (sides.both()) return false;
    const bool on_input = sides.on_input();
    const FusedSides::Side& side = sides.only();
    const detail::FusedPass fused{on_input ? &placed.first : &placed.second, on_input, side.places,
                                  &placed};
    if (!runner_.fuses(*side.function->fused_calls(), fused)) return false;
    runner_.run_fused(*problem_.stream, *side.function, fused);
    return true;
  }

  LineRunner runner_;
  LocalProblem problem_;
  MadePass first_, second_;
  StepPlace first_place_{};
  PlanePass<> pass_;
  std::optional<LineKernel> kernel_;  ///< of both axes; nothing: they are two passes
  Buffer finished_;
};

}  // namespace

bool takes_planes(const LineRunner& runner, const LocalProblem& problem) {
  const std::vector<Sequence::Step> steps = line_steps(problem);
  return std::all_of(steps.begin(), steps.end(), [&](const Sequence::Step& step) {
    return takes_one_line_pass(runner, part_of(problem, step.axes, step.place));
  });
}

std::unique_ptr<LocalTransform> make_planes(const LineRunner& runner, const LocalProblem& problem) {
  return std::make_unique<LinesInPlanes>(runner, problem);
}

}  // namespace weft
