#include "local/line_passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "device/alignment.hpp"
#include "kind/root_of_unity.hpp"
#include "local/line_sides.hpp"
#include "local/loops.hpp"

namespace weft {

namespace {

Index complex_bytes(Precision precision) {
  return bytes_of({precision, true});
}

std::size_t add_factors(const std::vector<std::complex<double>>& factors, Precision precision,
                        LineTables& tables) {
  if (precision == Precision::f64) return tables.add(factors);
  std::vector<std::complex<float>> narrow;
  for (const std::complex<double>& factor : factors) {
    narrow.emplace_back(std::complex<float>(factor));
  }
  return tables.add(narrow);
}

/// Roots e^(-+ 2 pi i e / n) for e = 0, step, 2 step, ...
std::vector<std::complex<double>> roots(Index n, Index count, Index step, Direction direction) {
  std::vector<std::complex<double>> table;
  for (Index i = 0; i < count; ++i) {
    const std::complex<double> root(root_of_unity(i * step % n, n));
    table.push_back(direction == Direction::forward ? std::conj(root) : root);
  }
  return table;
}

/// The other axis of a matrix as a loop, the fastest one.
void enter_loop(const LocalAxis& loop, LinePass& pass) {
  const std::uint32_t number = pass.loops++;
  pass.matrix.loop = number;
  pass.matrix.length = static_cast<std::uint32_t>(loop.length);
  pass.loop[number] = make_divisor(pass.matrix.length);
  pass.in.loop_step[number] = loop.in_stride;
  pass.out.loop_step[number] = loop.out_stride;
  pass.in.across = std::abs(loop.in_stride) < std::abs(pass.in.step);
  pass.out.across = std::abs(loop.out_stride) < std::abs(pass.out.step);
  pass.lines *= pass.matrix.length;
}

/// The tables of one side, in memory of a device once they are loaded.
class NumbersOnDevice {
 public:
  NumbersOnDevice(const NumberTables& numbers, Precision precision, LineTables& tables)
      : stored_(static_cast<std::uint32_t>(numbers.stored)),
        has_places_(!numbers.places.empty()),
        has_factors_(!numbers.factors.empty()),
        places_(tables.add(numbers.places)),
        factors_(add_factors(numbers.factors, precision, tables)) {}

  /// `stride`: of whole lines, in which places are.
  void enter(const LineTables& tables, const LineMatrix& matrix, Index stride,
             LineSide& side) const {
    side.stored = stored_;
    if (has_factors_) side.factors = tables.at(factors_);
    if (!has_places_) return;
    side.table = tables.at(places_);
    side.step = stride;
    if (matrix.length > 1) side.loop_step[matrix.loop] = 0;
  }

 private:
  std::uint32_t stored_;
  bool has_places_, has_factors_;
  std::size_t places_, factors_;
};

class LinesInBlocks : public LocalTransform {
 public:
  template <class Make>
  LinesInBlocks(const LocalProblem& problem, const Blocks& blocks, const Make& make)
      : blocks_(blocks), bytes_(complex_bytes(problem.precision)) {
    LocalProblem part = problem;
    for (const bool smaller : {false, true}) {
      if (smaller && !blocks.has_smaller()) continue;
      part.batch = blocks.inside(smaller);
      parts_.push_back(make(part));
    }
  }

  std::size_t work_bytes() const override { return parts_[0]->work_bytes(); }
  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    for (Index number = 0; number < blocks_.count(); ++number) {
      const Blocks::Place place = blocks_.place(number);
      parts_[place.smaller ? 1 : 0]->execute(in + place.in * bytes_, out + place.out * bytes_,
                                             work);
    }
  }
  bool works_in_place() const override { return parts_[0]->works_in_place(); }

 private:
  Blocks blocks_;
  Index bytes_;                                         ///< of a number
  std::vector<std::unique_ptr<LocalTransform>> parts_;  ///< for blocks, and for the smaller ones
};

}  // namespace

Index MatrixShape::most_points(const LineRunner& runner, Precision precision) {
  const Index of_block = static_cast<Index>(runner.shared_bytes()) / complex_bytes(precision);
  return std::min(of_block * of_block, divisor_limit - 1);
}

MatrixShape MatrixShape::of(const LineRunner& runner, Index points, Precision precision) {
  if (points > most_points(runner, precision)) return {};
  const std::size_t shared_bytes = runner.shared_bytes();
  const auto exists = [&](Index n) { return LinePlan::exists(n, precision, {shared_bytes}); };
  if (exists(points)) return {points, 1};
  for (auto rows = static_cast<Index>(std::sqrt(static_cast<double>(points))); rows > 1; --rows) {
    if (points % rows == 0 && exists(rows) && exists(points / rows)) return {rows, points / rows};
  }
  return {};
}

LinePasses::LinePasses(const LineRunner& runner, const LocalProblem& problem,
                       const MatrixShape& matrix)
    : runner_(runner),
      problem_(problem),
      matrix_(matrix),
      to_work_(problem),
      in_work_(problem),
      from_work_(problem) {
  Index numbers = matrix.points();
  for (int i = problem.batch.size() - 1; i >= 0; --i) {
    to_work_.batch[i].out_stride = from_work_.batch[i].in_stride = numbers;
    in_work_.batch[i].in_stride = in_work_.batch[i].out_stride = numbers;
    numbers *= problem.batch[i].length;
  }
  to_work_.scale = in_work_.scale = 1;
  work_bytes_ = aligned_up(static_cast<std::size_t>(numbers * complex_bytes(problem.precision)));
}

void LinePasses::execute(const std::byte* in, std::byte* out, std::byte* work) const {
  for (const MadePass& pass : passes_) {
    pass.run(runner_, problem_, &pass == &passes_.front() ? in : work,
             &pass == &passes_.back() ? out : work);
  }
}

void LinePasses::add_pass(LocalProblem part, const MatrixPass& wanted) {
  constexpr std::uint32_t fine_log2 = 10;
  constexpr Index fine_roots = Index{1} << fine_log2;
  const LocalAxis& loop = wanted.loop;
  part.transform[0] = wanted.axis;
  MadePass made;
  LinePass& pass = made.pass;
  const bool is_convolved = !wanted.filter.empty();
  pass.form = is_convolved ? LineForm::convolved : LineForm::complex;
  enter_lines(part, LineNumbers::complex, LineNumbers::complex, pass);
  if (loop.length > 1) enter_loop(loop, pass);
  pass.backward = part.direction == Direction::backward;
  pass.scale = part.scale;
  LinePlan plan(wanted.axis.length, part.precision, pass.form, {runner_.shared_bytes()});
  plan.add_to(made.tables);
  const NumbersOnDevice in_numbers(wanted.in, part.precision, made.tables);
  const NumbersOnDevice out_numbers(wanted.out, part.precision, made.tables);
  std::size_t coarse = 0, fine = 0;
  if (wanted.twists) {
    const Index n = matrix_.points();
    const Direction direction = is_convolved ? Direction::backward : part.direction;
    coarse = add_factors(roots(n, n / fine_roots + 1, fine_roots, direction), part.precision,
                         made.tables);
    fine = add_factors(roots(n, fine_roots, 1, direction), part.precision, made.tables);
  }
  const std::size_t filter = add_factors(wanted.filter, part.precision, made.tables);
  made.complete(runner_, part, plan);
  in_numbers.enter(made.tables, pass.matrix, loop.in_stride, pass.in);
  out_numbers.enter(made.tables, pass.matrix, loop.out_stride, pass.out);
  if (wanted.twists) {
    pass.matrix.coarse = made.tables.at(coarse);
    pass.matrix.fine = made.tables.at(fine);
    pass.matrix.fine_log2 = fine_log2;
  }
  if (is_convolved) pass.filter = made.tables.at(filter);
  passes_.push_back(std::move(made));
}

void LinePasses::add_columns(NumberTables in) {
  const auto [rows, columns] = matrix_;
  const Index stride = problem_.transform[0].in_stride;
  add_pass(to_work_, {.axis = {rows, columns * stride, columns},
                      .loop = {columns, stride, 1},
                      .twists = true,
                      .in = std::move(in),
                      .out = all_numbers()});
}

NumberTables LinePasses::stored_numbers(bool input) const {
  NumberTables numbers{stored_points(problem_, 0, input)};
  if (numbers.stored < whole_points(problem_, 0, input)) {
    numbers.places = stored_places(problem_, input);
    numbers.places.resize(static_cast<std::size_t>(matrix_.points()), no_place);
  }
  return numbers;
}

bool takes_passes(const LocalProblem& problem, const MatrixShape& matrix) {
  LinePass pass;
  return matrix.exists() &&
         enter_lines(problem, LineNumbers::complex, LineNumbers::complex, pass) &&
         pass.loops < LineSide::max_loops && Index{pass.lines} * matrix.columns < divisor_limit;
}

std::unique_ptr<LocalTransform> make_in_blocks(
    const LocalProblem& problem, const MatrixShape& matrix,
    const std::function<std::unique_ptr<LocalTransform>(const LocalProblem&)>& make) {
  const Index line_bytes = matrix.points() * complex_bytes(problem.precision);
  const Blocks blocks(problem.batch, std::max(problem.most_work_bytes / line_bytes, Index{1}));
  return std::make_unique<LinesInBlocks>(problem, blocks, make);
}

}  // namespace weft
