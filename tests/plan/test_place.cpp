#include <gtest/gtest.h>

#include "device/alignment.hpp"
#include "program/placement.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

bool meet(const Placement::Lifetime& a, const Placement::Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

bool apart(Index a, Index a_bytes, Index b, Index b_bytes) {
  return a_bytes == 0 || b_bytes == 0 || a + a_bytes <= b || b + b_bytes <= a;
}

std::vector<Placement::Lifetime> random_pieces(Random& random) {
  std::vector<Placement::Lifetime> pieces;
  int step = 0;
  for (Index count = 1 + random.below(12); count > 0; --count) {
    step += static_cast<int>(random.below(2));  // created in the order of the steps
    pieces.push_back({random.chance(15) ? 0 : random.below(1000), step,
                      step + static_cast<int>(random.below(4))});
  }
  return pieces;
}

TEST(Place, PiecesAliveTogetherDoNotOverlap) {
  Random random(51);
  int in_regions = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::vector<Placement::Lifetime> pieces = random_pieces(random);
    std::vector<Placement::Region> regions;
    for (Index count = random.below(3); count > 0; --count) {
      const int from = static_cast<int>(random.below(6));
      regions.push_back({random.below(3000), from, from + static_cast<int>(random.below(8))});
    }
    const Placement layout = place(pieces, regions);
    ASSERT_EQ(layout.places.size(), pieces.size());
    Index end = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Placement::Place& own = layout.places[i];
      ASSERT_GE(own.offset, 0);
      ASSERT_EQ(own.offset % static_cast<Index>(buffer_alignment), 0);
      if (own.region < 0) {
        ASSERT_LE(own.offset + pieces[i].bytes, layout.bytes);
        end = std::max(end,
                       own.offset + static_cast<Index>(aligned_up(std::size_t(pieces[i].bytes))));
      } else {
        // Within the memory and within the time that the user lends it.
        const Placement::Region& region = regions[static_cast<std::size_t>(own.region)];
        ASSERT_LE(own.offset + pieces[i].bytes, region.bytes);
        ASSERT_GE(pieces[i].first, region.from);
        ASSERT_LT(pieces[i].last, region.until);
        ++in_regions;
      }
      for (std::size_t j = 0; j < i; ++j) {
        const Placement::Place& other = layout.places[j];
        if (!meet(pieces[i], pieces[j]) || own.region != other.region) continue;
        ASSERT_TRUE(apart(own.offset, pieces[i].bytes, other.offset, pieces[j].bytes))
            << i << " and " << j;
      }
    }
    ASSERT_EQ(layout.bytes, end);
  }
  EXPECT_GT(in_regions, 1000);
}

TEST(Place, MemoryIsUsedAgain) {
  // A pipeline in which each step reads what the previous one wrote needs two buffers.
  std::vector<Placement::Lifetime> pieces;
  for (int step = 0; step < 10; ++step) pieces.push_back({640, step, step + 1});
  EXPECT_EQ(place(pieces, {}).bytes, 2 * 640);
}

TEST(Place, LentMemorySparesWorkspace) {
  const std::vector<Placement::Lifetime> pieces{{640, 0, 1}, {640, 1, 2}};
  EXPECT_EQ(place(pieces, {{640, 0, 2}}).bytes, 640);
  EXPECT_EQ(place(pieces, {{1280, 0, 3}}).bytes, 0);
  EXPECT_EQ(place(pieces, {{639, 0, 3}}).bytes, 2 * 640);
  EXPECT_EQ(place(pieces, {{1280, 1, 2}}).bytes, 2 * 640);
}

TEST(Place, NothingNeedsNothing) {
  EXPECT_EQ(place({}, {}).bytes, 0);
  EXPECT_EQ(place({{0, 0, 3}}, {}).bytes, 0);
}

TEST(Place, HoldsBeyond32Bits) {
  const Placement layout = place({{Index{1} << 40, 0, 1}, {Index{1} << 40, 1, 2}}, {});
  EXPECT_EQ(layout.bytes, Index{1} << 41);
  EXPECT_EQ(layout.places[1].offset, Index{1} << 40);
}

}  // namespace
}  // namespace weft
