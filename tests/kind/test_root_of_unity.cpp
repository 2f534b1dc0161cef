#include <gtest/gtest.h>

#include <limits>

#include "kind/root_of_unity.hpp"

namespace weft {
namespace {

using Wide = std::complex<long double>;
constexpr long double epsilon = std::numeric_limits<long double>::epsilon();

TEST(RootOfUnity, IsExactAtQuarterTurns) {
  for (const Index n : {4, 8, 12, 1024, 4 * 1000003}) {
    EXPECT_EQ(root_of_unity(0, n), Wide(1, 0));
    EXPECT_EQ(root_of_unity(n / 4, n), Wide(0, 1));
    EXPECT_EQ(root_of_unity(n / 2, n), Wide(-1, 0));
    EXPECT_EQ(root_of_unity(3 * n / 4, n), Wide(0, -1));
  }
}

TEST(RootOfUnity, AgreesWithSineAndCosine) {
  for (Index n = 1; n <= 300; ++n) {
    for (Index m = 0; m < n; ++m) {
      const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(m) /
                                static_cast<long double>(n);
      // Rounding of an angle up to a full turn costs a few units of the last place.
      ASSERT_LT(std::abs(root_of_unity(m, n) - Wide(std::cos(angle), std::sin(angle))), 8 * epsilon)
          << m << " of " << n;
    }
  }
}

TEST(RootTable, AgreesWithRootOfUnity) {
  for (const Index n : {1, 2, 3, 4, 7, 30, 97, 1000, 4096, 70001}) {
    const RootTable table(n);
    for (Index m = 0; m < n; ++m) {
      ASSERT_LE(std::abs(table(m) - root_of_unity(m, n)), 2 * epsilon) << m << " of " << n;
    }
  }
}

TEST(RootOfUnity, IsSymmetricToTheLastPlace) {
  for (const Index n : {1, 2, 3, 7, 30, 97, 1000}) {
    for (Index m = 1; m < n; ++m) {
      ASSERT_LE(std::abs(root_of_unity(n - m, n) - std::conj(root_of_unity(m, n))), epsilon)
          << m << " of " << n;
    }
  }
}

TEST(RootOfUnity, MultipliesToOtherRootsForLargeOrders) {
  // An angle that is not reduced with integers loses digits here.
  for (const Index n : {Index{1000003}, Index{1} << 31, (Index{1} << 40) - 87}) {
    for (Index step = 1; step < 50; ++step) {
      const Index a = n / 53 * step + step, b = n / 101 * step + 3;
      const Wide product = root_of_unity(a, n) * root_of_unity(b, n);
      ASSERT_LT(std::abs(product - root_of_unity((a + b) % n, n)), 4 * epsilon) << n;
    }
  }
}

}  // namespace
}  // namespace weft
