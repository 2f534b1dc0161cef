// Convolutions and correlations against their definition as sums.
#include <gtest/gtest.h>

#include <cmath>

#include "support/global_array.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/convolution.hpp"

namespace weft::test {
namespace {

/// Calls visit(point) for every point of a shape.
template <class Visit>
void for_each_point(const Extents& shape, const Visit& visit) {
  for (Index number = 0; number < product(shape); ++number) {
    Extents point = shape;
    Index rest = number;
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      point[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    visit(point);
  }
}

GlobalArray by_definition(GlobalArray a, GlobalArray b, bool periodic, bool correlate) {
  GlobalArray c{a.shape, 1, {}};
  for (int axis = 0; axis < a.shape.size() && !periodic; ++axis) {
    c.shape[axis] += b.shape[axis] - 1;
  }
  c.values.resize(static_cast<std::size_t>(product(c.shape)));
  for_each_point(a.shape, [&](const Extents& i) {
    for_each_point(b.shape, [&](const Extents& j) {
      Extents k = i;
      for (int axis = 0; axis < i.size(); ++axis) {
        const Index n = c.shape[axis];
        const Index lag =
            correlate ? j[axis] - i[axis] + (periodic ? 0 : a.shape[axis] - 1) : i[axis] + j[axis];
        k[axis] = (lag + n) % n;
      }
      c.at(k, 0) += (correlate ? std::conj(a.at(i, 0)) : a.at(i, 0)) * b.at(j, 0);
    });
  });
  return c;
}

template <class T>
void check_on(const std::string& device, const ConvolutionProblem& problem) {
  constexpr bool complex = !std::is_floating_point_v<T>;
  const Extents second = problem.second.empty() ? problem.first : problem.second;
  Options options;
  options.device = device;
  Convolution<T> convolution(MPI_COMM_WORLD, problem, options);
  EXPECT_EQ(convolution.device_number() == -1, device == "host");
  const GlobalArray a = random_array(problem.first, 1, complex, 1);
  const GlobalArray b = random_array(second, 1, complex, 2);
  Bytes memory_a = poisoned(convolution.first()), memory_b = poisoned(convolution.second());
  store(a, convolution.first(), memory_a.data());
  store(b, convolution.second(), memory_b.data());
  for (const bool correlate : {false, true}) {
    Bytes memory_c = poisoned(convolution.result());
    const auto* const from_a = reinterpret_cast<const T*>(memory_a.data());
    const auto* const from_b = reinterpret_cast<const T*>(memory_b.data());
    auto* const to = reinterpret_cast<T*>(memory_c.data());
    if (correlate) {
      convolution.correlate(from_a, from_b, to);
    } else {
      convolution.convolve(from_a, from_b, to);
    }
    GlobalArray exact = by_definition(a, b, problem.periodic, correlate);
    const Difference difference = compare(exact, convolution.result(), memory_c.data());
    double sums[3] = {difference.squared, difference.norm,
                      static_cast<double>(convolution.result().box.count())};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(sums[2], static_cast<double>(exact.values.size()));
    const double epsilon = sizeof(decltype(std::abs(T{}))) == 4 ? 1.2e-7 : 2.3e-16;
    EXPECT_LE(std::sqrt(sums[0] / sums[1]), 40 * epsilon)
        << to_string(problem.first) << " with " << to_string(second)
        << (problem.periodic ? " periodic" : " linear") << (correlate ? " correlate" : " convolve")
        << " on " << device;
  }
}

template <class T>
void check(const ConvolutionProblem& problem) {
  for (const std::string& device : tested_devices()) check_on<T>(device, problem);
}

TEST(Convolution, AgreesWithItsDefinition) {
  const std::vector<std::pair<Extents, Extents>> shapes{{{24}, {}},       {{13}, {5}},
                                                        {{7, 9}, {7, 4}}, {{5, 6, 4}, {}},
                                                        {{1, 8}, {1, 8}}, {{4, 3, 5}, {2, 3, 1}}};
  for (const auto& [first, second] : shapes) {
    for (const bool periodic : {true, false}) {
      ConvolutionProblem problem{first, second, periodic};
      check<double>(problem);
      check<std::complex<float>>(problem);
      problem.input = brick();
      problem.output = slab_split(first.size() - 1);
      check<float>(problem);
      check<std::complex<double>>(problem);
    }
  }
  check<double>({{3, 4}, {6, 2}, false});
}

TEST(Convolution, BadArgumentsAreRefused) {
  const auto refused = [](const ConvolutionProblem& problem, const std::string& why) {
    expect_same_error([&] { Convolution<double> convolution(MPI_COMM_WORLD, problem); }, {why});
  };
  refused({{4, 5}, {4}}, "the axes are not as many");
  refused({{4, 0}}, "lengths must be positive");
  refused({{4, 5}, {4, 6}}, "longer than the period");
  refused({{}}, "the axes are not as many");
}

TEST(Convolution, GoodLengthsHaveSmallFactors) {
  EXPECT_EQ(good_length(1), 1);
  EXPECT_EQ(good_length(11), 12);
  EXPECT_EQ(good_length(511), 512);
  EXPECT_EQ(good_length(121), 125);
}

}  // namespace
}  // namespace weft::test
