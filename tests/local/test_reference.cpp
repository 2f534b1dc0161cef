// The reference itself, against values that are known.
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "local/local_transform.hpp"

namespace weft {
namespace {

using Field = std::vector<std::complex<double>>;

template <class In, class Out>
std::vector<Out> transformed(const LocalProblem& problem, const std::vector<In>& in,
                             std::size_t size) {
  std::vector<Out> out(size);
  find_local_backend("reference")
      .make(problem)
      ->execute(reinterpret_cast<const std::byte*>(in.data()),
                reinterpret_cast<std::byte*>(out.data()), nullptr);
  return out;
}

LocalProblem line(Index n, Kind kind, Direction direction) {
  LocalProblem problem;
  problem.transform = {{n, 1, 1}};
  problem.kinds = {kind};
  problem.direction = direction;
  return problem;
}

void expect_near(const Field& computed, const Field& expected) {
  ASSERT_EQ(computed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(std::abs(computed[i] - expected[i]), 0, 1e-15) << i;
  }
}

TEST(Reference, TransformsFourPoints) {
  // numpy.fft.fft([1, 2, 3, 4 + 1j])
  const Field in{1, 2, 3, {4, 1}};
  const auto out = transformed<std::complex<double>, std::complex<double>>(
      line(4, c2c, Direction::forward), in, 4);
  expect_near(out, {{10, 1}, {-3, 2}, {-2, -1}, {-1, -2}});
  const auto back = transformed<std::complex<double>, std::complex<double>>(
      line(4, c2c, Direction::backward), out, 4);
  expect_near(back, {4, 8, 12, {16, 4}});  // not scaled
}

TEST(Reference, TransformsThreeReals) {
  // numpy.fft.rfft([1, 2, 4])
  const double s = std::sqrt(3.0);
  const auto out =
      transformed<double, std::complex<double>>(line(3, r2c, Direction::forward), {1, 2, 4}, 2);
  expect_near(out, {7, {-2, s}});
  const auto back =
      transformed<std::complex<double>, double>(line(3, r2c, Direction::backward), out, 3);
  EXPECT_NEAR(back[0], 3, 1e-14);
  EXPECT_NEAR(back[1], 6, 1e-14);
  EXPECT_NEAR(back[2], 12, 1e-14);
}

TEST(Reference, IgnoresTheImaginaryPartOfSelfConjugateCoefficients) {
  // As numpy.fft.irfft does.
  const auto plain = transformed<std::complex<double>, double>(line(4, r2c, Direction::backward),
                                                               Field{1, {2, 3}, 4}, 4);
  const auto odd = transformed<std::complex<double>, double>(line(4, r2c, Direction::backward),
                                                             Field{{1, 9}, {2, 3}, {4, -7}}, 4);
  EXPECT_EQ(plain, odd);
  EXPECT_NEAR(plain[0], 1 + 2 * 2 + 4, 1e-15);
  EXPECT_NEAR(plain[1], 1 - 2 * 3 - 4, 1e-15);
}

TEST(Reference, TransformsCosinesAndSines) {
  LocalProblem problem = line(3, Kind::dct2, Direction::forward);
  problem.real_data = true;
  // scipy.fft.dct([1, 2, 4], 2)
  const std::vector<double> in{1, 2, 4}, expected{14, -3 * std::sqrt(3.0), 1};
  const auto out = transformed<double, double>(problem, in, 3);
  problem.direction = Direction::backward;
  const auto back = transformed<double, double>(problem, out, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(out[i], expected[i], 1e-14);
    EXPECT_NEAR(back[i], 6 * in[i], 1e-14);
  }
  // scipy.fft.dst([[1, 2, 4j]], 4), along an axis that is not the only one
  LocalProblem plane = line(3, Kind::dst4, Direction::forward);
  plane.transform = {{1, 3, 3}, {3, 1, 1}};
  plane.kinds = {c2c, Kind::dst4};
  const auto sines =
      transformed<std::complex<double>, std::complex<double>>(plane, Field{1, 2, {0, 4}}, 3);
  const auto sum = [](double first, int twelfths, double second, int others) {
    const long double step = std::numbers::pi_v<long double> / 12;
    return static_cast<double>(first * std::sin(twelfths * step) +
                               second * std::sin(others * step));
  };
  expect_near(sines, {{sum(2, 1, 4, 3), sum(8, 5, 0, 0)},
                      {sum(2, 3, 4, 9), sum(8, 15, 0, 0)},
                      {sum(2, 5, 4, 15), sum(8, 25, 0, 0)}});
}

TEST(Reference, TakesAWaveToOneCoefficient) {
  const Index n = 15, m = 9;
  LocalProblem problem;
  problem.transform = {{n, m, m}, {m, 1, 1}};
  problem.kinds = {c2c, c2c};
  Field in;
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < m; ++k) {
      const double turns = 4.0 * static_cast<double>(j) / static_cast<double>(n) +
                           7.0 * static_cast<double>(k) / static_cast<double>(m);
      in.push_back(std::polar(1.0, 2 * std::numbers::pi * turns));
    }
  }
  const auto out = transformed<std::complex<double>, std::complex<double>>(problem, in, in.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(std::abs(out[i] - (i == 4 * 9 + 7 ? 135.0 : 0.0)), 0, 1e-12) << i;
  }
}

}  // namespace
}  // namespace weft
