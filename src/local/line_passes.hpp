#pragma once

#include <complex>
#include <functional>

#include "local/line_made.hpp"

namespace weft {

/// Long lines as matrices: number j = row x columns + column.
struct MatrixShape {
  Index rows = 0, columns = 0;  ///< 0: there is none

  /// A block of threads has room for a column, and for a row. One column where it has room for
  /// whole lines, otherwise as square as possible.
  static MatrixShape of(const LineRunner& runner, Index points, Precision precision);

  /// More do not have one.
  static Index most_points(const LineRunner& runner, Precision precision);

  bool exists() const { return rows > 0; }
  Index points() const { return rows * columns; }
};

/// What a pass does with the numbers of whole lines on one side, in their order.
struct NumberTables {
  std::vector<std::int32_t> places;           ///< where they stand; empty: in order
  std::vector<std::complex<double>> factors;  ///< that they are multiplied by; empty: none
};

/// Complex lines as matrices, in several passes over columns or rows. The first pass leads to
/// memory to work in, where lines lie one after another and row after row; the last one leads from
/// there. Those between work in place.
class LinePasses : public LocalTransform {
 public:
  std::size_t work_bytes() const override { return work_bytes_; }
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override;

 protected:
  LinePasses(const LineRunner& runner, const LocalProblem& problem, const MatrixShape& matrix);

  /// One axis of a matrix is transformed, as part of a problem, and the other one is a loop. If
  /// `twists`, results are multiplied by the roots that belong between the axes of a transform.
  void add_pass(LocalProblem part, const LocalAxis& axis, const LocalAxis& loop, bool twists,
                const NumberTables& in, const NumberTables& out);

  LineRunner runner_;
  LocalProblem problem_;
  MatrixShape matrix_;
  LocalProblem to_work_, in_work_, from_work_;  ///< but for the axis

 private:
  std::size_t work_bytes_;
  std::vector<MadePass> passes_;
};

/// Whether passes can have the complex lines of a problem as such matrices.
bool takes_passes(const LocalProblem& problem, const MatrixShape& matrix);

/// What is made of problems like this one, of as many lines at a time as there is memory to work in
/// for.
std::unique_ptr<LocalTransform> make_in_blocks(
    const LocalProblem& problem, const MatrixShape& matrix,
    const std::function<std::unique_ptr<LocalTransform>(const LocalProblem&)>& make);

}  // namespace weft
