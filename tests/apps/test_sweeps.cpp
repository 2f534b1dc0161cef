#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sweeps.hpp"

namespace weft::navier_stokes {
namespace {

/// value(i) is base, but for one index.
struct OneOther {
  double base, other;
  Index where;
  double operator()(Index i) const { return i == where ? other : base; }
};

class SweepsTest : public testing::Test {
 protected:
  static Problem problem() {
    Problem problem;
    problem.shape = {6, 5, 4};
    problem.kinds = r2c;
    return problem;
  }

  Plan plan_{MPI_COMM_SELF, problem()};
  Sweeps sweeps_{plan_};
};

// More numbers than parts of the loop, so that a part compares several.
constexpr Index many = 3 * 65536 + 17;

TEST_F(SweepsTest, FindTheLargestAnywhere) {
  for (const Index where : {Index{0}, Index{1}, Index{65536}, many / 2, many - 1}) {
    EXPECT_EQ(sweeps_.largest(many, OneOther{1, 2, where}), 2);
  }
  EXPECT_EQ(sweeps_.largest(3, OneOther{1, 2, 2}), 2);
}

TEST_F(SweepsTest, GiveZeroWhereNothingIsLarger) {
  EXPECT_EQ(sweeps_.largest(0, OneOther{1, 1, 0}), 0);
  EXPECT_EQ(sweeps_.largest(many, OneOther{-2, -1, 5}), 0);
}

// A time step that is computed from it must not look sound when the velocities are not.
TEST_F(SweepsTest, TakeWhatIsNotANumberForTheLargest) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Index where : {Index{0}, Index{65536}, many / 2, many - 1}) {
    EXPECT_TRUE(std::isnan(sweeps_.largest(many, OneOther{1, nan, where}))) << where;
  }
}

}  // namespace
}  // namespace weft::navier_stokes
