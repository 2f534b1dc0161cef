// The planner on a machine of a million ranks: memory must not grow with their number. The time is
// measured by bench/planner_scale.
#include <gtest/gtest.h>

#include "schedule/planner.hpp"
#include "support/heap_count.hpp"

namespace weft {
namespace {

constexpr Index ranks = 1048576;
constexpr std::int64_t ten_megabytes = 10'000'000;

std::int64_t peak_of_one_rank(const LayoutSpec& in, const LayoutSpec& out, const Kinds& kinds,
                              Index rank) {
  test::reset_heap_count();
  const ResolvedProblem problem = resolve(
      {.shape = {32768, 32768, 32768}, .kinds = kinds, .input = in, .output = out}, ranks, rank);
  const Schedule schedule = plan_schedule(problem, {}, {.caches = 1 << 20});
  std::size_t peers = 0;
  for (const Stage& stage : schedule.stages) {
    if (const auto* move = std::get_if<RedistributeStage>(&stage)) {
      peers += messages(*move, rank).sends.size();
    }
  }
  EXPECT_GE(peers, 2u);
  EXPECT_LT(peers, 20000u);
  return test::heap_count().peak;
}

TEST(PlannerScale, PencilsOfAMillionRanksFitIn10Megabytes) {
  for (const Index rank : {Index{0}, Index{17}, ranks - 1}) {
    EXPECT_LT(peak_of_one_rank(pencil_along(2), pencil_along(0), c2c, rank), ten_megabytes);
    EXPECT_LT(peak_of_one_rank(pencil_along(2), pencil_along(0), r2c, rank), ten_megabytes);
    EXPECT_LT(peak_of_one_rank(pencil_along(0), pencil_along(0), c2c, rank), ten_megabytes);
  }
}

TEST(PlannerScale, BricksOfAMillionRanksFitIn10Megabytes) {
  EXPECT_LT(peak_of_one_rank(brick(), brick(), c2c, 12345), ten_megabytes);
}

TEST(PlannerScale, TheCountIsOfTheHeap) {
  test::reset_heap_count();
  // A plain call, as a new-expression that is deleted again may be left out.
  ::operator delete(::operator new(8'000'000));
  const test::HeapCount count = test::heap_count();
  EXPECT_GE(count.peak, 8'000'000);
  EXPECT_EQ(count.allocations, 1);
  EXPECT_EQ(count.bytes, 0);
}

}  // namespace
}  // namespace weft
