// Complex lines of any length by convolution with a chirp.
#include <complex>

#include "kind/root_of_unity.hpp"
#include "local/line_passes.hpp"

namespace weft {

namespace {

/// Of the lines that are convolved: the shortest ones that passes can transform.
MatrixShape padded_matrix(const LineRunner& runner, const LocalProblem& problem) {
  const Index most = MatrixShape::most_points(runner, problem.precision);
  for (Index points = 2 * problem.transform[0].length - 1; points <= most; ++points) {
    if (!has_small_primes(points)) continue;
    const MatrixShape matrix = MatrixShape::of(runner, points, problem.precision);
    if (matrix.exists()) return matrix;
  }
  return {};
}

class Chirp : public LinePasses {
 public:
  Chirp(const LineRunner& runner, const LocalProblem& problem, const MatrixShape& padded)
      : LinePasses(runner, problem, padded) {
    const auto [rows, columns] = padded;
    const LocalAxis& line = problem.transform[0];
    to_work_.direction = Direction::forward;
    from_work_.direction = Direction::backward;
    // The spectrum of the turned line is multiplied by the filter. Where it has several columns,
    // rows stay where they are, since those of the way back are the same.
    const bool is_matrix = columns > 1;
    const NumberTables filtered{{}, filter()};
    add_pass(to_work_, {rows, columns * line.in_stride, columns}, {columns, line.in_stride, 1},
             is_matrix, turned(true), is_matrix ? NumberTables{} : filtered);
    if (is_matrix) {
      const LocalAxis row{columns, 1, 1}, over_rows{rows, columns, columns};
      in_work_.direction = Direction::forward;
      add_pass(in_work_, row, over_rows, false, {}, filtered);
      in_work_.direction = Direction::backward;
      add_pass(in_work_, row, over_rows, true, {}, {});
    }
    add_pass(from_work_, {rows, columns, columns * line.out_stride}, {columns, 1, line.out_stride},
             false, {}, turned(false));
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
    NumberTables tables{stored_places(problem_, input), {}};
    tables.places.resize(static_cast<std::size_t>(matrix_.points()), no_place);
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
  return make_in_blocks(problem, padded, [&](const LocalProblem& block) {
    return std::make_unique<Chirp>(runner, block, padded);
  });
}

}  // namespace weft
