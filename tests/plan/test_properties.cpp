// Properties of the Fourier transform itself, which need no other transform to compare with.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "verify/random.hpp"

namespace weft {
namespace {

using Field = std::vector<std::complex<double>>;

class Properties : public testing::Test {
 protected:
  const Extents shape_{24, 30, 20};
  Plan plan_{MPI_COMM_WORLD,
             {.shape = shape_, .input = brick(), .output = pencil_along(0), .norm = Norm::ortho}};

  Field filled(std::uint64_t seed) const {
    Field field(static_cast<std::size_t>(plan_.input().allocation_size));
    fill_random(plan_.input(), shape_, 1, seed, field.data());
    return field;
  }
  Field spectrum_of(const Field& field) {
    Field spectrum(static_cast<std::size_t>(plan_.output().allocation_size));
    plan_.forward(field, spectrum);
    return spectrum;
  }
  static double total(double own) {
    MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return own;
  }
  static double energy(const Field& field) {
    double sum = 0;
    for (const std::complex<double>& value : field) sum += std::norm(value);
    return total(sum);
  }
  template <class Visit>
  static void for_each(const LocalArray& array, const Visit& visit) {
    if (array.box.empty()) return;
    for (Index i = array.box.lower[0]; i < array.box.upper[0]; ++i) {
      for (Index j = array.box.lower[1]; j < array.box.upper[1]; ++j) {
        for (Index k = array.box.lower[2]; k < array.box.upper[2]; ++k) {
          const Index at = array.offset + (i - array.box.lower[0]) * array.strides[0] +
                           (j - array.box.lower[1]) * array.strides[1] +
                           (k - array.box.lower[2]) * array.strides[2];
          visit(Extents{i, j, k}, static_cast<std::size_t>(at));
        }
      }
    }
  }
  double phase(const Extents& a, const Extents& b) const {
    double turns = 0;
    for (int axis = 0; axis < 3; ++axis) {
      turns +=
          static_cast<double>(a[axis] * b[axis] % shape_[axis]) / static_cast<double>(shape_[axis]);
    }
    return 2 * std::numbers::pi * turns;
  }

 private:
  const test::Watchdog watchdog_;
};

TEST_F(Properties, AWaveHasOneCoefficient) {
  for (const Extents& wave : {Extents{0, 0, 0}, Extents{23, 1, 7}, Extents{5, 29, 19}}) {
    Field field(static_cast<std::size_t>(plan_.input().allocation_size));
    for_each(plan_.input(), [&](const Extents& point, std::size_t at) {
      field[at] = std::polar(1.0, phase(point, wave));
    });
    const Field spectrum = spectrum_of(field);
    for_each(plan_.output(), [&](const Extents& point, std::size_t at) {
      const double expected = point == wave ? std::sqrt(24.0 * 30 * 20) : 0;
      ASSERT_NEAR(std::abs(spectrum[at] - expected), 0, 1e-10) << to_string(point);
    });
  }
}

TEST_F(Properties, AnImpulseHasAWaveAsSpectrum) {
  const Extents place{3, 28, 11};
  Field field(static_cast<std::size_t>(plan_.input().allocation_size));
  for_each(plan_.input(),
           [&](const Extents& point, std::size_t at) { field[at] = point == place ? 1.0 : 0.0; });
  const Field spectrum = spectrum_of(field);
  for_each(plan_.output(), [&](const Extents& point, std::size_t at) {
    ASSERT_NEAR(
        std::abs(spectrum[at] - std::polar(1 / std::sqrt(24.0 * 30 * 20), -phase(point, place))), 0,
        1e-15);
  });
}

TEST_F(Properties, EnergyIsKept) {
  const Field field = filled(1);
  const double before = energy(field);
  EXPECT_GT(before, 1000);
  EXPECT_NEAR(energy(spectrum_of(field)) / before, 1, 1e-13);
}

TEST_F(Properties, TheTransformIsLinear) {
  const Field a = filled(1), b = filled(2);
  Field sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum[i] = 2.0 * a[i] - std::complex<double>(0, 3) * b[i];
  }
  const Field of_sum = spectrum_of(sum), of_a = spectrum_of(a), of_b = spectrum_of(b);
  for (std::size_t i = 0; i < of_sum.size(); ++i) {
    ASSERT_NEAR(std::abs(of_sum[i] - (2.0 * of_a[i] - std::complex<double>(0, 3) * of_b[i])), 0,
                1e-12);
  }
}

TEST_F(Properties, AShiftTurnsThePhase) {
  const Extents by{5, 1, 13};
  const Field field = filled(3);
  Field shifted(field.size());
  for_each(plan_.input(), [&](const Extents& point, std::size_t at) {
    Index number = 0;
    for (int axis = 0; axis < 3; ++axis) {
      number = number * shape_[axis] + (point[axis] + by[axis]) % shape_[axis];
    }
    // As fill_random numbers the elements.
    shifted[at] = {random_value(static_cast<std::uint64_t>(2 * number), 3),
                   random_value(static_cast<std::uint64_t>(2 * number + 1), 3)};
  });
  const Field plain = spectrum_of(field), turned = spectrum_of(shifted);
  for_each(plan_.output(), [&](const Extents& point, std::size_t at) {
    ASSERT_NEAR(std::abs(turned[at] - plain[at] * std::polar(1.0, phase(point, by))), 0, 1e-12);
  });
}

}  // namespace
}  // namespace weft
