// Long complex lines as matrices: N = rows x columns, number j = row x columns + column. Columns
// are transformed first, turned, and then the rows: J. W. Cooley and J. W. Tukey, An algorithm for
// the machine calculation of complex Fourier series, Mathematics of Computation 19 (1965).
#include <cmath>
#include <complex>
#include <cstdlib>

#include "kind/root_of_unity.hpp"
#include "local/line_sides.hpp"
#include "local/line_two_passes.hpp"

namespace weft {

namespace {

constexpr Index most_points_of_columns = Index{1} << 31;

/// Rows of a matrix that is as square as possible; 0 where there is none.
Index rows_of(const LineRunner& runner, Index points, Precision precision) {
  const auto root = static_cast<Index>(std::sqrt(static_cast<double>(points)));
  for (Index rows = root; rows > 1; --rows) {
    if (points % rows == 0 && LinePlan::exists(rows, precision, runner.shared_bytes()) &&
        LinePlan::exists(points / rows, precision, runner.shared_bytes())) {
      return rows;
    }
  }
  return 0;
}

template <class Real>
class Columns : public TwoPasses {
 public:
  Columns(const LineRunner& runner, const LocalProblem& problem)
      : TwoPasses(runner, problem, problem.transform[0].length),
        rows_(rows_of(runner, problem.transform[0].length, problem.precision)),
        columns_(problem.transform[0].length / rows_) {
    const LocalAxis& line = problem.transform[0];
    to_work_.transform[0] = {rows_, columns_ * line.in_stride, columns_};
    from_work_.transform[0] = {columns_, 1, rows_ * line.out_stride};
    first_ = make_step(to_work_, {columns_, line.in_stride, 1}, true);
    second_ = make_step(from_work_, {rows_, columns_, line.out_stride}, false);
  }

 private:
  /// Roots e^(2 pi i e / n) as products of coarse and fine ones.
  std::vector<std::complex<Real>> roots(Index count, Index step) const {
    const Index n = rows_ * columns_;
    std::vector<std::complex<Real>> table;
    for (Index i = 0; i < count; ++i) {
      table.emplace_back(std::complex<Real>(root_of_unity(i * step % n, n)));
    }
    return table;
  }

  /// Of the lines in one more loop, the fastest one.
  MadePass make_step(const LocalProblem& step, const LocalAxis& loop, bool turns) const {
    constexpr std::uint32_t fine_log2 = 10;
    MadePass made;
    made.form = LineForm::complex;
    LinePass& pass = made.pass;
    enter_lines(step, LineNumbers::complex, LineNumbers::complex, pass);
    const std::uint32_t number = pass.loops++;
    pass.loop[number] = make_divisor(static_cast<std::uint32_t>(loop.length));
    pass.in.loop_step[number] = loop.in_stride;
    pass.out.loop_step[number] = loop.out_stride;
    pass.in.across = std::abs(loop.in_stride) < std::abs(pass.in.step);
    pass.out.across = std::abs(loop.out_stride) < std::abs(pass.out.step);
    pass.lines *= static_cast<std::uint32_t>(loop.length);
    pass.backward = step.direction == Direction::backward;
    pass.scale = step.scale;
    LinePlan plan(step.transform[0].length, step.precision, made.form, runner_.shared_bytes());
    plan.add_to(made.tables);
    std::size_t coarse = 0, fine = 0;
    if (turns) {
      const Index fine_roots = Index{1} << fine_log2;
      coarse = made.tables.add(roots(rows_ * columns_ / fine_roots + 1, fine_roots));
      fine = made.tables.add(roots(fine_roots, 1));
    }
    made.complete(runner_, step, plan);
    if (turns) pass.twist = {made.tables.at(coarse), made.tables.at(fine), fine_log2, number};
    return made;
  }

  Index rows_, columns_;
};

}  // namespace

bool takes_columns(const LineRunner& runner, const LocalProblem& problem) {
  const LocalAxis& line = problem.transform[0];
  if (problem.kinds[0] != Kind::c2c || is_pruned(problem) ||
      line.length >= most_points_of_columns) {
    return false;
  }
  LinePass pass;
  const Index rows = rows_of(runner, line.length, problem.precision);
  return rows > 0 && enter_lines(problem, LineNumbers::complex, LineNumbers::complex, pass) &&
         pass.loops < LineSide::max_loops &&
         Index{pass.lines} * (line.length / rows) < (Index{1} << 31);
}

std::unique_ptr<LocalTransform> make_columns(const LineRunner& runner,
                                             const LocalProblem& problem) {
  problem.stream->device().use();
  if (problem.precision == Precision::f32) return std::make_unique<Columns<float>>(runner, problem);
  return std::make_unique<Columns<double>>(runner, problem);
}

}  // namespace weft
