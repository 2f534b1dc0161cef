// Complex lines of any length by convolution with a chirp.
#include <algorithm>
#include <complex>

#include "kind/root_of_unity.hpp"
#include "local/line_passes.hpp"

namespace weft {

namespace {

/// What convolving lines takes where blocks have room for them: numbers between stages.
Index numbers_between_stages(Index points) {
  return points * (2 * stockham::line_radices(points).count - 2);
}

/// Of the lines that are convolved: those that take least in a block, else the shortest ones that
/// passes can transform.
MatrixShape padded_matrix(const LineRunner& runner, const LocalProblem& problem) {
  const Index least = 2 * problem.transform[0].length - 1;
  const Index most = MatrixShape::most_points(runner, problem.precision);
  MatrixShape best;
  Index best_numbers = 0;
  for (Index points = least; points <= std::min(most, 2 * least); ++points) {
    if (!stockham::has_small_primes(points)) continue;
    const MatrixShape matrix = MatrixShape::of(runner, points, problem.precision);
    if (!matrix.exists()) continue;
    if (matrix.columns > 1) return best.exists() ? best : matrix;
    const Index numbers = numbers_between_stages(points);
    if (best.exists() && numbers >= best_numbers) continue;
    best = matrix;
    best_numbers = numbers;
  }
  return best;
}

class Chirp : public LinePasses {
 public:
  Chirp(const LineRunner& runner, const LocalProblem& problem, const MatrixShape& padded)
      : LinePasses(runner, problem, padded) {
    const auto [rows, columns] = padded;
    const LocalAxis& line = problem.transform[0];
    to_work_.direction = in_work_.direction = Direction::forward;
    from_work_.direction = Direction::backward;
    if (columns == 1) {
      LocalProblem whole = problem;
      whole.direction = Direction::forward;
      add_pass(whole, {.axis = {rows, line.in_stride, line.out_stride},
                       .loop = {1, line.in_stride, line.out_stride},
                       .in = turned(true),
                       .out = turned(false),
                       .filter = filter()});
      return;
    }
    // Rows stay where they are: those of the way back are the same.
    add_columns(turned(true));
    add_pass(in_work_, {.axis = {columns, 1, 1},
                        .loop = {rows, columns, columns},
                        .twists = true,
                        .in = all_numbers(),
                        .out = all_numbers(),
                        .filter = filter()});
    add_pass(from_work_, {.axis = {rows, columns, columns * line.out_stride},
                          .loop = {columns, 1, line.out_stride},
                          .in = all_numbers(),
                          .out = turned(false)});
  }

 private:
  Index points() const { return problem_.transform[0].length; }

  /// exp(-+ pi i j^2 / n)
  std::complex<double> chirp(Index j) const {
    const auto root = root_of_unity(j * j % (2 * points()), 2 * points());
    return std::complex<double>(problem_.direction == Direction::forward ? std::conj(root) : root);
  }

  /// The numbers of a line times the chirp. Those beyond the line are zero, and dropped.
  NumberTables turned(bool input) const {
    NumberTables tables = stored_numbers(input);
    for (Index j = 0; j < points(); ++j) tables.factors.push_back(chirp(j));
    return tables;
  }

  /// The spectrum of the conjugate, over the number of points, by the host.
  std::vector<std::complex<double>> filter() const {
    const Index padded = matrix_.points();
    const auto size = static_cast<std::size_t>(padded);
    std::vector<std::complex<double>> wave(size), spectrum(size);
    for (Index j = 0; j < points(); ++j) {
      const std::complex<double> value = std::conj(chirp(j));
      wave[static_cast<std::size_t>(j)] = value;
      if (j > 0) wave[static_cast<std::size_t>(padded - j)] = value;
    }
    LocalProblem line;
    line.transform = {{padded, 1, 1}};
    line.kinds = {Kind::c2c};
    line.any_alignment = true;
    const auto transform = fallback_backend().make(line);
    const Buffer work(transform->work_bytes());
    transform->execute(reinterpret_cast<const std::byte*>(wave.data()),
                       reinterpret_cast<std::byte*>(spectrum.data()), work.data());
    for (std::complex<double>& value : spectrum) value /= static_cast<double>(padded);
    return spectrum;
  }
};

}  // namespace

bool takes_chirp(const LineRunner& runner, const LocalProblem& problem) {
  return takes_passes(problem, padded_matrix(runner, problem));
}

std::unique_ptr<LocalTransform> make_chirp(const LineRunner& runner, const LocalProblem& problem) {
  problem.stream->device().use();
  const MatrixShape padded = padded_matrix(runner, problem);
  const auto make = [&](const LocalProblem& part) {
    return std::make_unique<Chirp>(runner, part, padded);
  };
  if (padded.columns == 1) return make(problem);
  return make_in_blocks(problem, padded, make);
}

}  // namespace weft
