#include <gtest/gtest.h>

#include "geometry/partition.hpp"

namespace weft {
namespace {

constexpr Split both[] = {Split::balanced, Split::block};

TEST(Partition, PartsFollowEachOtherAndCoverEverything) {
  for (const Split split : both) {
    for (Index length = 1; length <= 40; ++length) {
      for (Index parts = 1; parts <= 45; ++parts) {
        Index next = 0;
        for (Index part = 0; part < parts; ++part) {
          const Interval interval = part_interval(length, parts, split, part);
          ASSERT_EQ(interval.lower, next) << length << " in " << parts;
          ASSERT_GE(interval.upper, interval.lower) << length << " in " << parts;
          next = interval.upper;
        }
        ASSERT_EQ(next, length) << length << " in " << parts;
      }
    }
  }
}

TEST(Partition, PartOfIsTheInverse) {
  for (const Split split : both) {
    for (Index length = 1; length <= 40; ++length) {
      for (Index parts = 1; parts <= 45; ++parts) {
        for (Index point = 0; point < length; ++point) {
          const Index part = part_of(length, parts, split, point);
          ASSERT_GE(part, 0);
          ASSERT_LT(part, parts);
          const Interval interval = part_interval(length, parts, split, part);
          ASSERT_LE(interval.lower, point) << length << " in " << parts;
          ASSERT_GT(interval.upper, point) << length << " in " << parts;
        }
      }
    }
  }
}

TEST(Partition, BalancedPartsDifferByAtMostOneLargerFirst) {
  for (Index length = 1; length <= 40; ++length) {
    for (Index parts = 1; parts <= 45; ++parts) {
      Index previous = length;
      for (Index part = 0; part < parts; ++part) {
        const Interval interval = part_interval(length, parts, Split::balanced, part);
        const Index size = interval.upper - interval.lower;
        ASSERT_LE(size, previous);
        ASSERT_TRUE(size == length / parts || size == length / parts + 1);
        previous = size;
      }
    }
  }
}

TEST(Partition, BlockFollowsTheRuleOfFftw) {
  // Every part ceil(n/p) long, what is left in the last one.
  for (Index length = 1; length <= 40; ++length) {
    for (Index parts = 1; parts <= 45; ++parts) {
      const Index block = (length + parts - 1) / parts;
      Index left = length;
      for (Index part = 0; part < parts; ++part) {
        const Interval interval = part_interval(length, parts, Split::block, part);
        ASSERT_EQ(interval.upper - interval.lower, std::min(block, left));
        left -= interval.upper - interval.lower;
      }
    }
  }
}

TEST(Partition, HoldsBeyond32Bits) {
  const Index length = (Index{1} << 45) + 12345;
  const Index parts = 1000003;
  for (const Split split : both) {
    for (Index point = 0; point < length; point += length / 997) {
      const Interval interval =
          part_interval(length, parts, split, part_of(length, parts, split, point));
      ASSERT_LE(interval.lower, point);
      ASSERT_GT(interval.upper, point);
    }
    EXPECT_EQ(part_interval(length, parts, split, parts - 1).upper, length);
  }
}

}  // namespace
}  // namespace weft
