// Operators against derivatives that are known.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "spectral/low_pass.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/calculus.hpp"

namespace weft::test {
namespace {

using Vector = std::array<double, 3>;
using Field = std::vector<double>;
constexpr std::array<double, 3> box_lengths{2, 3, 5};

double angular(int mode, int axis) {
  return 2 * std::numbers::pi * mode / box_lengths[static_cast<std::size_t>(axis)];
}

/// u = sin(a x) cos(b y) sin(c z + 1)
struct Wave {
  double a = angular(1, 0), b = angular(2, 1), c = angular(-3, 2);

  double value(const Vector& x) const {
    return std::sin(a * x[0]) * std::cos(b * x[1]) * std::sin(c * x[2] + 1);
  }
  Vector gradient(const Vector& x) const {
    const double z = c * x[2] + 1;
    return {a * std::cos(a * x[0]) * std::cos(b * x[1]) * std::sin(z),
            -b * std::sin(a * x[0]) * std::sin(b * x[1]) * std::sin(z),
            c * std::sin(a * x[0]) * std::cos(b * x[1]) * std::cos(z)};
  }
  double squared() const { return a * a + b * b + c * c; }
};

/// Three components of one wave each.
const std::array<Wave, 3> waves{Wave{}, Wave{angular(2, 0), angular(1, 1), angular(1, 2)},
                                Wave{angular(3, 0), angular(-1, 1), angular(2, 2)}};

/// A device, and whether only low modes are kept.
class Calculi : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  static Problem problem() {
    Problem result;
    result.shape = {12, 10, 14};
    result.kinds = r2c;
    result.input = brick().with_order({1, 0, 2});
    result.output = slab_split(1);
    if (std::get<1>(GetParam())) result.modes = {7, 7, 9};
    return result;
  }
  static Options options() {
    Options result;
    result.device = std::get<0>(GetParam());
    return result;
  }

  Field sampled(const auto& function) const {
    const LocalArray& array = plan_.input();
    Field field(static_cast<std::size_t>(array.allocation_size), 7);
    visit([&](const Vector& x, std::size_t at) { field[at] = function(x); });
    return field;
  }

  void visit(const auto& work) const {
    const LocalArray& array = plan_.input();
    if (array.box.empty()) return;
    Extents i = array.box.lower;
    for (i[0] = array.box.lower[0]; i[0] < array.box.upper[0]; ++i[0]) {
      for (i[1] = array.box.lower[1]; i[1] < array.box.upper[1]; ++i[1]) {
        for (i[2] = array.box.lower[2]; i[2] < array.box.upper[2]; ++i[2]) {
          Vector x;
          Index at = array.offset;
          for (int axis = 0; axis < 3; ++axis) {
            x[static_cast<std::size_t>(axis)] = box_lengths[static_cast<std::size_t>(axis)] *
                                                static_cast<double>(i[axis]) /
                                                static_cast<double>(plan_.info().shape[axis]);
            at += (i[axis] - array.box.lower[axis]) * array.strides[axis];
          }
          work(x, static_cast<std::size_t>(at));
        }
      }
    }
  }

  void expect_close(const Field& field, const auto& function) const {
    double worst = 0;
    visit([&](const Vector& x, std::size_t at) {
      const double error = std::abs(field[at] - function(x));
      worst = std::max(worst, std::isnan(error) ? 1 : error);
    });
    EXPECT_LT(worst, 1e-11);
  }

  Field empty() const {
    return Field(static_cast<std::size_t>(plan_.input().allocation_size), std::nan(""));
  }

  Plan plan_{MPI_COMM_WORLD, problem(), options()};
  Calculus<> calculus_{plan_, box_lengths};
};

TEST_P(Calculi, GradientDivergenceAndCurl) {
  const Field u = sampled([](const Vector& x) { return waves[0].value(x) + 2; });
  std::array<Field, 3> out{empty(), empty(), empty()};
  calculus_.gradient(u, out);
  for (std::size_t a = 0; a < 3; ++a) {
    expect_close(out[a], [a](const Vector& x) { return waves[0].gradient(x)[a]; });
  }
  std::array<Field, 3> v;
  for (std::size_t a = 0; a < 3; ++a) {
    v[a] = sampled([a](const Vector& x) { return waves[a].value(x); });
  }
  Field sum = empty();
  calculus_.divergence(v, sum);
  expect_close(sum, [](const Vector& x) {
    return waves[0].gradient(x)[0] + waves[1].gradient(x)[1] + waves[2].gradient(x)[2];
  });
  calculus_.curl(v, v);  // in the place of the field
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    expect_close(
        v[a], [&](const Vector& x) { return waves[c].gradient(x)[b] - waves[b].gradient(x)[c]; });
  }
}

TEST_P(Calculi, LaplacianAndFilter) {
  Field u = sampled([](const Vector& x) { return waves[0].value(x) + waves[1].value(x) + 2; });
  Field out = empty();
  calculus_.laplacian(u, out);
  expect_close(out, [](const Vector& x) {
    return -waves[0].squared() * waves[0].value(x) - waves[1].squared() * waves[1].value(x);
  });
  calculus_.inverse_laplacian(out, out);
  expect_close(out, [](const Vector& x) { return waves[0].value(x) + waves[1].value(x); });
  const double between = std::sqrt((waves[0].squared() + waves[1].squared()) / 2);
  keep_low(calculus_, u, out, between);
  const Wave lower = waves[0].squared() < waves[1].squared() ? waves[0] : waves[1];
  expect_close(out, [lower](const Vector& x) { return lower.value(x) + 2; });
}

TEST_P(Calculi, FunctionsOfTheHostAreRefusedOnDevices) {
  if (std::get<0>(GetParam()) == "host") return;
  const Field u = sampled([](const Vector& x) { return waves[0].value(x); });
  Field out = empty();
  expect_same_error([&] { calculus_.filter(u, out, [](double k) { return k; }); },
                    {"function of the host", "weft::device_function"});
}

INSTANTIATE_TEST_SUITE_P(AllAndLowModes, Calculi,
                         ::testing::Combine(::testing::ValuesIn(tested_devices()),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::get<0>(info.param) +
                                  (std::get<1>(info.param) ? "LowModes" : "AllModes");
                         });

TEST(Wavenumbers, NyquistModesHaveNoFirstDerivative) {
  Plan plan(MPI_COMM_WORLD, {.shape = {8, 6}, .kinds = r2c});
  const Wavenumbers waves(plan, std::array{1.0, 2.0});
  EXPECT_EQ(waves.derivative_k(0, 4), 0);
  EXPECT_DOUBLE_EQ(waves.k(0, 4), -8 * std::numbers::pi);
  EXPECT_EQ(waves.derivative_k(1, 3), 0);
  EXPECT_DOUBLE_EQ(waves.derivative_k(1, 2), 2 * std::numbers::pi);
  // With fewer modes than coefficients, mode 2 of r2c stands for both.
  Plan low(MPI_COMM_WORLD, {.shape = {8, 6}, .kinds = r2c, .modes = {4, 4}});
  const Wavenumbers kept(low, std::array{1.0, 2.0});
  EXPECT_EQ(kept.derivative_k(0, 2), 0);
  EXPECT_DOUBLE_EQ(kept.derivative_k(1, 2), 2 * std::numbers::pi);
}

TEST(Wavenumbers, LastModesOfCosinesAndSinesMayBeNyquistModes) {
  for (const Extents& keep : {Extents{6, 7}, Extents{4, 5}}) {
    Plan plan(MPI_COMM_WORLD, {.shape = {6, 7}, .kinds = {Kind::dct1, Kind::dst2}, .modes = keep});
    const Wavenumbers waves(plan, std::array{1.0, 2.0});
    for (int axis = 0; axis < 2; ++axis) {
      for (Index i = 0; i < keep[axis]; ++i) {
        EXPECT_EQ(waves.k(axis, i) == 0, axis == 0 && i == 0);
        const bool is_nyquist = i == plan.info().shape[axis] - 1;
        EXPECT_EQ(waves.derivative_k(axis, i), is_nyquist ? 0 : waves.k(axis, i))
            << axis << " " << i;
      }
    }
  }
}

TEST(Wavenumbers, BadArgumentsAreRefused) {
  Plan plan(MPI_COMM_WORLD, {.shape = {8, 6}, .kinds = {Kind::dct2, r2c}});
  expect_same_error([&] { Wavenumbers(plan, std::array{1.0}); }, {"1 lengths of the box"});
  expect_same_error([&] { Wavenumbers(plan, std::array{1.0, -2.0}); }, {"length -2.0", "axis 1"});
  const Wavenumbers waves(plan, std::array{1.0, 2.0});
  expect_same_error([&] { waves.derivative(0); }, {"axis 0 of kind dct2"});
  expect_same_error([&] { waves.derivative(2); }, {"axis 2 of 2"});
}

}  // namespace
}  // namespace weft::test
