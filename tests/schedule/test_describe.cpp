#include <gtest/gtest.h>

#include "geometry/human_units.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"

namespace weft {
namespace {

TEST(Describe, NamesStagesAxesLayoutsPeersAndBytes) {
  const ResolvedProblem problem = resolve({.shape = {64, 32, 16},
                                           .kinds = r2c,
                                           .input = slab_split(0),
                                           .output = slab_split(1).with_order({1, 2, 0})},
                                          4, 1);
  const std::string text = describe(plan_schedule(problem, {}, {.caches = 1 << 20}), problem);
  for (const char* part :
       {"forward 64x32x16 c2c,c2c,r2c f64, rank 1 of 4", "1. local", "axis 2 r2c n=16",
        "axis 1 c2c n=32", "grid 4x1x1", "box [16,32)x[0,32)x[0,16)", "64 KiB",
        "2. redistribute grid 4x1x1", "-> grid 1x4x1", "3 peers",
        // 16 x 8 x 9 coefficients of 16 bytes to each of 3 others
        "sends 54 KiB", "largest message 18 KiB", "3. local", "axis 0 c2c n=64", "order (1,2,0)",
        "predicted"}) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in:\n" << text;
  }
}

TEST(Describe, NamesTheInverseAndGroups) {
  const ResolvedProblem problem =
      resolve({.shape = {64, 64, 64}, .input = pencil_along(2), .output = pencil_along(0)}, 12, 5);
  Options options;
  options.algorithm = Algorithm::pencil;
  const std::string text =
      describe(reversed(plan_schedule(problem, options, {.caches = 1 << 20})), problem);
  for (const char* part : {"backward 64x64x64", "inverse", "in group"}) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in:\n" << text;
  }
}

TEST(Describe, AnEmptyProgramIsACopy) {
  const ResolvedProblem problem = resolve({.shape = {8, 8}, .kinds = none}, 2, 0);
  const std::string text = describe(plan_schedule(problem, {}, {.caches = 1 << 20}), problem);
  EXPECT_NE(text.find("1. copy"), std::string::npos) << text;
}

TEST(Describe, WritesBytesAndSecondsForPeople) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(12.5 * 1024 * 1024), "12.5 MiB");
  EXPECT_EQ(human_bytes(0x1p60), "1 EiB");
  EXPECT_EQ(human_bytes(0x1p70), "1024 EiB");
  EXPECT_EQ(human_seconds(1.25e-3), "1.25 ms");
  EXPECT_EQ(human_seconds(2e-6), "2 us");
  EXPECT_EQ(human_seconds(3.5), "3.5 s");
}

}  // namespace
}  // namespace weft
