#include "geometry/cursor.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weft {
namespace {

using Loops = Axes<Cursor<2>::Loop>;

struct Place {
  Index first, second;
  friend bool operator==(const Place&, const Place&) = default;
};

std::vector<Place> places(const Loops& loops, Index position = 0) {
  std::vector<Place> result;
  for (Cursor<2> cursor(loops, position); !cursor.is_end(); cursor.advance()) {
    result.push_back({cursor[0], cursor[1]});
  }
  return result;
}

TEST(CursorTest, GoesThroughTheLastLoopFastest) {
  const Loops loops{{2, {100, 7}}, {3, {10, -1}}};
  EXPECT_EQ(places(loops),
            (std::vector<Place>{{0, 0}, {10, -1}, {20, -2}, {100, 7}, {110, 6}, {120, 5}}));
}

TEST(CursorTest, HasOnePositionWithoutLoops) {
  EXPECT_EQ(places({}), (std::vector<Place>{{0, 0}}));
}

TEST(CursorTest, BeginsAnywhere) {
  const Loops loops{{3, {1000, 1}}, {4, {100, 2}}, {5, {10, 3}}};
  const std::vector<Place> all = places(loops);
  ASSERT_EQ(all.size(), 60u);
  for (Index position = 0; position <= 60; ++position) {
    EXPECT_EQ(places(loops, position), std::vector<Place>(all.begin() + position, all.end()))
        << position;
  }
}

TEST(CursorTest, TellsItsPosition) {
  const Axes<Cursor<0>::Loop> loops{{2, {}}, {1, {}}, {3, {}}};
  Index count = 0;
  for (Cursor<0> cursor(loops); !cursor.is_end(); cursor.advance(), ++count) {
    EXPECT_EQ(cursor.at(), (Axes<Index>{count / 3, 0, count % 3}));
  }
  EXPECT_EQ(count, 6);
}

}  // namespace
}  // namespace weft
