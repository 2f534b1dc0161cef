// Complex lines of any length by convolution with a chirp.
#include <complex>

#include "kind/root_of_unity.hpp"
#include "local/line_sides.hpp"
#include "local/line_two_passes.hpp"

namespace weft {

namespace {

Index padded_points(Index n) {
  Index points = 2 * n - 1;
  while (line_radices(points).empty()) ++points;
  return points;
}

template <class Real>
class Chirp : public TwoPasses {
 public:
  Chirp(const LineRunner& runner, const LocalProblem& problem)
      : TwoPasses(runner, problem, padded_points(problem.transform[0].length)),
        padded_(padded_points(problem.transform[0].length)) {
    to_work_.transform[0] = {padded_, problem.transform[0].in_stride, 1};
    from_work_.transform[0] = {padded_, 1, problem.transform[0].out_stride};
    first_ = make_step(to_work_, true);
    second_ = make_step(from_work_, false);
  }

 private:
  Index points() const { return problem_.transform[0].length; }

  /// exp(-+ pi i j^2 / n)
  std::complex<long double> chirp(Index j) const {
    const auto root = root_of_unity(j * j % (2 * points()), 2 * points());
    return problem_.direction == Direction::forward ? std::conj(root) : root;
  }

  std::vector<std::complex<Real>> chirps() const {
    std::vector<std::complex<Real>> table(static_cast<std::size_t>(padded_));
    for (Index j = 0; j < points(); ++j) {
      table[static_cast<std::size_t>(j)] = std::complex<Real>(chirp(j));
    }
    return table;
  }

  /// The spectrum of the conjugate, over the number of points, by the host.
  std::vector<std::complex<Real>> filter() const {
    const auto size = static_cast<std::size_t>(padded_);
    std::vector<std::complex<double>> wave(size), spectrum(size);
    for (Index j = 0; j < points(); ++j) {
      const std::complex<double> value(std::conj(chirp(j)));
      wave[static_cast<std::size_t>(j)] = value;
      if (j > 0) wave[static_cast<std::size_t>(padded_ - j)] = value;
    }
    LocalProblem line;
    line.transform = {{padded_, 1, 1}};
    line.kinds = {Kind::c2c};
    line.any_alignment = true;
    const auto transform = fallback_backend().make(line);
    const Buffer work(transform->work_bytes());
    transform->execute(reinterpret_cast<const std::byte*>(wave.data()),
                       reinterpret_cast<std::byte*>(spectrum.data()), work.data());
    std::vector<std::complex<Real>> result;
    for (const std::complex<double>& value : spectrum) {
      result.emplace_back(std::complex<Real>(value / static_cast<double>(padded_)));
    }
    return result;
  }

  /// The first step makes the spectrum of the turned line and multiplies it by the filter, the
  /// second one goes back. Numbers beyond the line are zero, and dropped.
  MadePass make_step(const LocalProblem& step, bool first) const {
    MadePass made;
    made.form = LineForm::complex;
    LinePass& pass = made.pass;
    enter_lines(step, LineNumbers::complex, LineNumbers::complex, pass);
    pass.backward = !first;
    pass.scale = step.scale;
    LinePlan plan(padded_, step.precision, made.form, runner_.shared_bytes());
    plan.add_to(made.tables);
    std::vector<std::int32_t> places = stored_places(problem_, first);
    places.resize(static_cast<std::size_t>(padded_), no_place);
    const std::size_t place = made.tables.add(places), turn = made.tables.add(chirps());
    const std::size_t filtered = first ? made.tables.add(filter()) : 0;
    made.complete(runner_, step, plan);
    LineSide& side = first ? pass.in : pass.out;
    side.table = made.tables.at(place);
    side.factors = made.tables.at(turn);
    if (first) pass.out.factors = made.tables.at(filtered);
    return made;
  }

  Index padded_;
};

}  // namespace

bool takes_chirp(const LineRunner& runner, const LocalProblem& problem) {
  constexpr Index most_points = Index{1} << 20;  // j^2 is far from the end of integers
  const Index n = problem.transform[0].length;
  LinePass pass;
  return problem.kinds[0] == Kind::c2c && n < most_points &&
         LinePlan::exists(padded_points(n), problem.precision, runner.shared_bytes()) &&
         enter_lines(problem, LineNumbers::complex, LineNumbers::complex, pass);
}

std::unique_ptr<LocalTransform> make_chirp(const LineRunner& runner, const LocalProblem& problem) {
  problem.stream->device().use();
  if (problem.precision == Precision::f32) return std::make_unique<Chirp<float>>(runner, problem);
  return std::make_unique<Chirp<double>>(runner, problem);
}

}  // namespace weft
