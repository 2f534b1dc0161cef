#include "local/line_planes.hpp"

#include <algorithm>

#include "local/library_calls.hpp"
#include "local/line_forms.hpp"
#include "local/line_made.hpp"
#include "local/line_transform.hpp"

namespace weft {

namespace {

/// Complex planes, each transformed along both axes in one kernel.
class LinesInPlanes : public LocalTransform {
 public:
  LinesInPlanes(const LineRunner& runner, const LocalProblem& problem)
      : runner_(runner), problem_(problem) {
    const std::vector<Sequence::Step> steps = line_steps(problem);
    LocalProblem first = part_of(problem, steps[0].axes, steps[0].place);
    const LocalProblem second = part_of(problem, steps[1].axes, steps[1].place);
    first.scale = 1;
    first_ = make_line_pass(runner, first);
    second_ = make_line_pass(runner, second);
    pass_.first = first_.pass;
    pass_.second = second_.pass;
    const auto of_first = static_cast<std::uint32_t>(second.transform[0].length);
    const auto of_second = static_cast<std::uint32_t>(first.transform[0].length);
    if (!share_planes(of_first, of_second)) return;
    pass_.lag = runner.prepare_planes(problem.precision, pass_);
    if (pass_.lag == 0) return;
    const std::size_t bytes = pass_.planes * sizeof(std::uint32_t);
    finished_ = Buffer(problem.stream->device(), bytes);
    problem.stream->clear(finished_.data(), bytes);
    problem.stream->synchronize();
    pass_.finished = reinterpret_cast<std::uint32_t*>(finished_.data());
  }

  bool is_possible() const { return pass_.lag > 0; }

  void execute(const std::byte* in, std::byte* out, std::byte*) const override {
    if (!problem_.any_alignment) check_alignment(problem_, in, out);
    PlanePass placed = pass_;
    placed.first.in.data = const_cast<std::byte*>(in);
    placed.first.out.data = placed.second.in.data = placed.second.out.data = out;
    runner_.run_planes(*problem_.stream, problem_.precision, placed);
  }

  bool works_in_place() const override { return keeps_places(problem_); }

 private:
  /// Whether lines of either pass, so many to a plane, come plane by plane, the same ones, in whole
  /// blocks.
  bool share_planes(std::uint32_t of_first, std::uint32_t of_second) {
    const LinePass &first = pass_.first, &second = pass_.second;
    if (first_.form != LineForm::whole || second_.form != LineForm::whole || first.lines == 0 ||
        of_first % first.lanes.count != 0 || of_second % second.lanes.count != 0) {
      return false;
    }
    pass_.planes = first.lines / of_first;
    pass_.first_blocks = of_first / first.lanes.count;
    pass_.second_blocks = of_second / second.lanes.count;
    const auto place = [](const LinePass& pass, std::uint32_t line) {
      return stockham::locate(pass, pass.out, line).at;
    };
    for (std::uint32_t plane = 0; plane < pass_.planes; ++plane) {
      const std::uint32_t a = plane * of_first, b = plane * of_second;
      if (place(first, a) != place(second, b) ||
          place(first, a + 1) - place(first, a) != second.out.step ||
          place(second, b + 1) - place(second, b) != first.out.step) {
        return false;
      }
    }
    return true;
  }

  LineRunner runner_;
  LocalProblem problem_;
  MadePass first_, second_;
  PlanePass pass_;
  Buffer finished_;
};

}  // namespace

std::unique_ptr<LocalTransform> make_planes(const LineRunner& runner, const LocalProblem& problem) {
  const bool suits = std::all_of(problem.kinds.begin(), problem.kinds.end(),
                                 [](Kind kind) { return kind == Kind::c2c; });
  if (!suits || is_pruned(problem)) return nullptr;
  for (const Sequence::Step& step : line_steps(problem)) {
    const LocalProblem part = part_of(problem, step.axes, step.place);
    if (part.transform[0].length == 1 || !takes_one_line_pass(runner, part)) return nullptr;
  }
  auto planes = std::make_unique<LinesInPlanes>(runner, problem);
  return planes->is_possible() ? std::move(planes) : nullptr;
}

}  // namespace weft
