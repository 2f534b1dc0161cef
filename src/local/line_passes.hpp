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
  Index stored;                                    ///< if in order: how many there are
  std::vector<std::int32_t> places = {};           ///< where they stand; empty: in order
  std::vector<std::complex<double>> factors = {};  ///< that they are multiplied by; empty: none
};

/// A pass over one axis of a matrix, with the other one as a loop.
struct MatrixPass {
  LocalAxis axis, loop;
  bool twists = false;  ///< results are multiplied by the roots between the axes of a transform
  NumberTables in, out;
  /// Not empty: what the spectrum of a whole line is multiplied by, over the number of its points.
  /// Behind that, the axis is transformed back.
  std::vector<std::complex<double>> filter = {};
};

/// Complex lines as matrices, in several passes over columns or rows. The first pass leads to
/// memory to work in, where lines lie one after another and row after row; the last one leads from
/// there. Those between work in place. A single pass needs no such memory.
class LinePasses : public LocalTransform {
 public:
  std::size_t work_bytes() const override { return passes_.size() > 1 ? work_bytes_ : 0; }
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override;
  /// Lines are read to their end before they are written.
  bool works_in_place() const override { return keeps_places(problem_); }

 protected:
  LinePasses(const LineRunner& runner, const LocalProblem& problem, const MatrixShape& matrix);

  /// `part`: the problem of the pass, but for its axis.
  void add_pass(LocalProblem part, const MatrixPass& wanted);
  /// The first of several: over columns, to work memory.
  void add_columns(NumberTables in);

  /// All numbers of lines, and those that exist on a side, in the order of the matrix.
  NumberTables all_numbers() const { return {matrix_.points()}; }
  NumberTables stored_numbers(bool input) const;

  LineRunner runner_;
  LocalProblem problem_;
  MatrixShape matrix_;
  LocalProblem to_work_, in_work_, from_work_;  ///< parts

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
