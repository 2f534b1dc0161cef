// Long complex lines as matrices: N = rows x columns, number j = row x columns + column. Columns
// are transformed first, turned, and then the rows: J. W. Cooley and J. W. Tukey, An algorithm for
// the machine calculation of complex Fourier series, Mathematics of Computation 19 (1965).
#include "local/line_passes.hpp"

namespace weft {

namespace {

MatrixShape matrix_of(const LineRunner& runner, const LocalProblem& problem) {
  return MatrixShape::of(runner, problem.transform[0].length, problem.precision);
}

class Columns : public LinePasses {
 public:
  Columns(const LineRunner& runner, const LocalProblem& problem, const MatrixShape& matrix)
      : LinePasses(runner, problem, matrix) {
    const auto [rows, columns] = matrix;
    const LocalAxis& line = problem.transform[0];
    add_columns(stored_numbers(true));
    add_pass(from_work_, {.axis = {columns, 1, rows * line.out_stride},
                          .loop = {rows, columns, line.out_stride},
                          .in = all_numbers(),
                          .out = stored_numbers(false)});
  }
};

}  // namespace

bool takes_columns(const LineRunner& runner, const LocalProblem& problem) {
  return takes_passes(problem, matrix_of(runner, problem));
}

std::unique_ptr<LocalTransform> make_columns(const LineRunner& runner,
                                             const LocalProblem& problem) {
  problem.stream->device().use();
  const MatrixShape matrix = matrix_of(runner, problem);
  return make_in_blocks(problem, matrix, [&](const LocalProblem& block) {
    return std::make_unique<Columns>(runner, block, matrix);
  });
}

}  // namespace weft
