#include <gtest/gtest.h>

#include "schedule/problem.hpp"
#include "support/error_text.hpp"
#include "weft/options.hpp"

namespace weft {
namespace {

using test::error_text;

TEST(ResolvedProblem, OutputIsLikeTheInputUnlessGiven) {
  const ResolvedProblem problem = resolve(
      {.shape = {8, 6, 10}, .kinds = r2c, .input = slab_split(1).with_order({2, 1, 0})}, 2, 1);
  EXPECT_EQ(problem.spectral, (Extents{8, 6, 6}));
  EXPECT_TRUE(problem.real);
  EXPECT_EQ(problem.output.distribution.box(problem.spectral, 1), (Box{{0, 3, 0}, {8, 6, 6}}));
  EXPECT_EQ(problem.output.memory.order, (AxisList{2, 1, 0}));
}

TEST(ResolvedProblem, PaddingIsForTheRealArrayOnly) {
  const ResolvedProblem problem =
      resolve({.shape = {4, 8}, .kinds = r2c, .input = slab_split(0).padded_for_r2c()}, 1, 0);
  EXPECT_EQ(problem.input.memory.view(whole({4, 8})).size, 4 * 10);
  EXPECT_EQ(problem.output.memory.view(whole({4, 5})).size, 4 * 5);
}

TEST(ResolvedProblem, BatchBecomesTheLastAxis) {
  const ResolvedProblem problem = resolve({.shape = {4, 8}, .kinds = r2c, .batch = 3}, 1, 0);
  EXPECT_EQ(problem.shape, (Extents{4, 8, 3}));
  EXPECT_EQ(problem.spectral, (Extents{4, 5, 3}));
  EXPECT_EQ(problem.kinds, (Axes<Kind>{c2c, r2c, none}));
}

TEST(ResolvedProblem, RefusesWhatMakesNoSense) {
  const auto complaint = [](const Problem& given, Index ranks) {
    return error_text([&] { resolve(given, ranks, 0); });
  };
  EXPECT_EQ(complaint({.shape = {8, 0, 8}}, 1), "shape 8x0x8: lengths must be positive");
  EXPECT_EQ(complaint({.shape = {8, -3}}, 1), "shape 8x-3: lengths must be positive");
  EXPECT_EQ(complaint({.shape = {}}, 1), "shape  has 0 axes; 1 to 6 are supported");
  EXPECT_EQ(complaint({.shape = {2, 2, 2, 2, 2, 2, 2}}, 1),
            "shape 2x2x2x2x2x2x2 has 7 axes; 1 to 6 are supported");
  EXPECT_EQ(complaint({.shape = {8}, .batch = 0}, 1), "batch 0: must be positive");
  EXPECT_EQ(complaint({.shape = {8}}, 0), "number of ranks 0: must be between 1 and 2147483647");
  EXPECT_NE(complaint({.shape = {8, 8}, .kinds = {r2c, r2c}}, 1).find("only one axis"),
            std::string::npos);
  EXPECT_NE(complaint({.shape = {Index{1} << 40, Index{1} << 40}}, 1).find("too large"),
            std::string::npos);
  EXPECT_NE(complaint({.shape = {Index{1} << 60}, .batch = 2}, 1).find("too large"),
            std::string::npos);
  EXPECT_NE(complaint({.shape = {8}, .kinds = r2c, .input = boxes({{{0}, {4}}, {{4}, {8}}})}, 2)
                .find("must be given"),
            std::string::npos);
  EXPECT_NE(complaint({.shape = {8}, .kinds = r2c, .input = slab_split(0).with_strides({2})}, 1)
                .find("must be given"),
            std::string::npos);
}

}  // namespace
}  // namespace weft
