#include "support/compressed_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "exchange/exchange.hpp"
#include "kind/kind.hpp"
#include "support/exchange_names.hpp"

namespace weft::test {

namespace {

void round_to_single(GlobalArray& array) {
  for (Complex& value : array.values) {
    value = {static_cast<float>(value.real()), static_cast<float>(value.imag())};
  }
}

/// Complex white noise in spectral space, with amplitudes that fall with the wave number.
GlobalArray turbulent_spectrum(const Extents& shape, std::uint64_t seed) {
  GlobalArray spectrum{shape, 1, {}};
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const Index count = product(shape);
  for (Index number = 0; number < count; ++number) {
    double squared = 0;
    Index rest = number;
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      const Index i = rest % shape[axis];
      rest /= shape[axis];
      const double k = static_cast<double>(std::min(i, shape[axis] - i));
      squared += k * k;
    }
    // Shells have k^(d-1) modes.
    const double power = -(5.0 / 3 + shape.size() - 1) / 4;
    const double amplitude = squared > 0 ? std::pow(squared, power) : 0;
    const double real = normal(engine), imaginary = normal(engine);
    spectrum.values.emplace_back(amplitude * real, amplitude * imaginary);
  }
  return spectrum;
}

}  // namespace

CompressionCase make_case(const Problem& problem, Direction direction, bool turbulent,
                          std::uint64_t seed) {
  CompressionCase result{problem, direction, turbulent, {}, {}, ""};
  const Axes<Kind> kinds = problem.kinds.resolve(problem.shape.size());
  const bool real = halved_axis(kinds) >= 0;
  const bool forward = direction == Direction::forward;
  if (!turbulent) {
    const Extents shape = forward ? problem.shape : spectral_shape(problem.shape, kinds);
    result.given = random_array(shape, 1, !(forward && real), seed);
  } else {
    const auto complex = Axes<Kind>::filled(problem.shape.size(), c2c);
    result.given = exact_transform(turbulent_spectrum(problem.shape, seed), problem.shape, complex,
                                   Direction::backward, Norm::ortho);
    if (real) {
      for (Complex& value : result.given.values) value = value.real();
    }
    if (!forward) {
      result.given =
          exact_transform(result.given, problem.shape, kinds, Direction::forward, Norm::ortho);
    }
    round_to_single(result.given);
  }
  result.exact = exact_transform(result.given, problem.shape, kinds, direction, problem.norm);
  result.text = to_string(problem.shape) + " " + to_string(kinds) + " " +
                to_string(problem.precision) + (forward ? " forward" : " backward") +
                (turbulent ? " turbulent" : " white");
  return result;
}

double compressed_error(Plan& plan, const CompressionCase& the_case) {
  Bytes in = poisoned(source_of(plan, the_case.direction));
  store(the_case.given, source_of(plan, the_case.direction), in.data());
  Bytes out = poisoned(sink_of(plan, the_case.direction));
  execute(plan, the_case.direction, in.data(), out.data());
  GlobalArray exact = the_case.exact;
  const Difference difference = compare(exact, sink_of(plan, the_case.direction), out.data());
  double sums[2] = {difference.squared, difference.norm};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, plan.communicator());
  return std::sqrt(sums[0] / sums[1]);
}

Index bytes_of_all(const Plan& plan) {
  Index bytes = plan.report().bytes;
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, plan.communicator());
  return bytes;
}

void expect_same_report(const Plan& plan) {
  const Report report = plan.report();
  std::ostringstream text;
  text << std::hexfloat << report.predicted_error << " " << report.error;
  for (const RedistributionReport& part : report.redistributions) {
    text << "; " << part.codec << " " << part.predicted_error << " " << part.error << " "
         << part.repeated << " " << part.broken;
  }
  std::string of_first = text.str();
  of_first.resize(2000, ' ');
  const std::string mine = of_first;
  MPI_Bcast(of_first.data(), 2000, MPI_CHAR, 0, plan.communicator());
  EXPECT_EQ(mine, of_first) << "rank 0 reports something else";
}

std::vector<std::string> packed_exchanges() {
  std::vector<std::string> names;
  for (const std::string& name : plan_exchanges()) {
    if (find_exchange(name).method->traits.family != ExchangeTraits::arrays) names.push_back(name);
  }
  return names;
}

}  // namespace weft::test
