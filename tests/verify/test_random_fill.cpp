#include <gtest/gtest.h>

#include <map>

#include "support/plan_run.hpp"
#include "verify/random.hpp"

namespace weft {
namespace {

TEST(RandomFill, IsTheSameArrayInEveryLayout) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
      for (const Index batch : {1, 3}) {
        for (const bool interleaved : {false, true}) {
          const Plan plan(MPI_COMM_WORLD,
                          {.shape = {5, 6, 7},
                           .kinds = kinds,
                           .input = brick().with_order({1, 2, 0}).with_halo({1, 0, 2}, {0, 3, 1}),
                           .output = slab_split(0),
                           .precision = precision,
                           .batch = batch,
                           .interleaved = interleaved});
          test::Bytes memory = test::poisoned(plan.input());
          fill_random(plan.input(), plan.info().shape, batch, 9, memory.data());
          EXPECT_TRUE(test::gaps_untouched(plan.input(), batch, memory));
          const bool complex = plan.input().type.complex;
          test::GlobalArray expected = test::random_array(plan.info().shape, batch, complex, 9);
          const auto difference = test::compare(expected, plan.input(), memory.data());
          // The array to compare with holds values that are exact in single precision.
          EXPECT_LE(difference.squared, 1e-13 * difference.norm);
        }
      }
    }
  }
}

TEST(RandomValue, IsSpreadEvenlyOverMinusOneToOne) {
  std::map<int, int> histogram;
  double sum = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double value = random_value(i, 3);
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 1);
    sum += value;
    ++histogram[static_cast<int>((value + 1) * 5)];
  }
  EXPECT_NEAR(sum / 100000, 0, 0.01);
  for (const auto& [bin, count] : histogram) EXPECT_NEAR(count, 10000, 500) << bin;
  EXPECT_NE(random_value(1, 1), random_value(1, 2));
  EXPECT_NE(random_value(1, 1), random_value(2, 1));
}

}  // namespace
}  // namespace weft
