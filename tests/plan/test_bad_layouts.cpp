// Layouts that a plan must refuse, on all ranks with the same words.
#include <limits>

#include "support/bad_input.hpp"

namespace weft {
namespace {

using test::world_rank;

class BadLayout : public test::BadInput {};

std::vector<Box> rows(Index a, Index b) {
  return {{{0, 0}, {a, 8}}, {{a, 0}, {b, 8}}, {{b, 0}, {9, 8}}};
}

/// Of the calling rank.
Box mine(const std::vector<Box>& boxes) {
  return boxes[static_cast<std::size_t>(world_rank())];
}

TEST_F(BadLayout, OverlappingBoxes) {
  auto list = rows(3, 6);
  list[2].lower[0] = 5;
  Problem problem = good_problem();
  problem.input = boxes(list);
  expect_refused(problem, {"input layout: boxes overlap: box [3,6)x[0,8) of rank 1 and box "
                           "[5,9)x[0,8) of rank 2 share [5,6)x[0,8)"});
  problem.input = box(mine(list));
  expect_refused(problem, {"input layout: boxes overlap: box [3,6)x[0,8) of rank 1 and box "
                           "[5,9)x[0,8) of rank 2 share [5,6)x[0,8)"});
  problem.input = slab_split(0);
  problem.output = box(mine(list));
  expect_refused(problem, {"output layout: boxes overlap"});
}

TEST_F(BadLayout, HolesBetweenBoxes) {
  auto list = rows(3, 6);
  list[1].upper[1] = 7;
  Problem problem = good_problem();
  problem.input = boxes(list);
  expect_refused(problem,
                 {"input layout: boxes leave a hole: they cover 69 of 72 points of the array "
                  "9x8; the first point of no rank is (3,7)"});
  problem.input = box(mine(list));
  expect_refused(problem, {"the first point of no rank is (3,7)"});
}

TEST_F(BadLayout, BoxesOutsideTheArray) {
  auto list = rows(3, 6);
  list[2].upper[0] = 10;
  Problem problem = good_problem();
  problem.output = boxes(list);
  expect_refused(problem,
                 {"output layout: box [6,10)x[0,8) of rank 2 is not inside the array 9x8"});
  list = rows(3, 6);
  list[0].lower[0] = -1;
  problem.output = box(mine(list));
  expect_refused(problem,
                 {"output layout: box [-1,3)x[0,8) of rank 0 is not inside the array 9x8"});
}

TEST_F(BadLayout, BoxesOfNegativeLength) {
  Problem problem = good_problem();
  problem.input = box(world_rank() == 1 ? Box{{6, 0}, {3, 8}} : mine(rows(3, 6)));
  expect_refused(problem, {"box [6,3)x[0,8) of rank 1 has a negative length"});
}

TEST_F(BadLayout, WrongNumberOfBoxes) {
  Problem problem = good_problem();
  problem.input = boxes({{{0, 0}, {4, 8}}, {{4, 0}, {9, 8}}});
  expect_refused(problem, {"input layout lists 2 boxes, the communicator has 3 ranks"});
  problem.input = boxes({});
  expect_refused(problem, {"input layout lists 0 boxes, the communicator has 3 ranks"});
}

TEST_F(BadLayout, BoxesWithOtherAxesThanTheArray) {
  Problem problem = good_problem();
  problem.input = boxes({{{0}, {3}}, {{3}, {6}}, {{6}, {9}}});
  expect_refused(problem, {"box [0,3) of rank 0 has not 2 axes"});
  problem.input = box(world_rank() == 2 ? Box{{6}, {9}} : mine(rows(3, 6)));
  expect_refused(problem, {"rank 2: input layout: own box [6,9) has not 2 axes"});
}

TEST_F(BadLayout, GridForAnotherNumberOfRanks) {
  Problem problem = good_problem();
  problem.input = grid({2, 2});
  expect_refused(problem, {"input layout grid 2x2 needs 4 ranks, the communicator has 3"});
  problem.input = grid({3, 0});
  expect_refused(problem, {"input layout grid 3x0: parts must be positive"});
  problem.input = grid({3, 1, 1});
  expect_refused(problem, {"input layout grid 3x1x1 has 3 axes, the array 9x8 has 2"});
  Options options;
  options.grid = {2, 2};
  expect_refused(good_problem(), {"process grid 2x2", "product is 3 (the number of ranks)"},
                 options);
}

TEST_F(BadLayout, AxesThatDoNotExist) {
  Problem problem = good_problem();
  problem.input = slab_split(2);
  expect_refused(problem, {"input layout slab: axis 2 is not one of the 2 axes"});
  problem.input = slab_split(0);
  problem.output = pencil_along(-1);
  expect_refused(problem, {"output layout pencil: axis -1 is not one of the 2 axes"});
}

TEST_F(BadLayout, OrderThatIsNoPermutation) {
  Problem problem = good_problem();
  problem.input = slab_split(0).with_order({0, 0});
  expect_refused(problem,
                 {"input layout: memory order (0,0) is not a permutation of the axes 0 to 1"});
  problem.input = slab_split(0).with_order({0, 1, 2});
  expect_refused(problem, {"input layout: memory order (0,1,2) is not a permutation"});
  problem.input = slab_split(0);
  problem.output = slab_split(1).with_order({1});
  expect_refused(problem, {"output layout: memory order (1) is not a permutation"});
}

TEST_F(BadLayout, NegativeHalo) {
  Problem problem = good_problem();
  problem.input = slab_split(0).with_halo({0, -1}, {0, 0});
  expect_refused(problem, {"input layout: halo 0x-1 is negative"});
}

TEST_F(BadLayout, HaloAndStridesTooLargeFor64Bits) {
  constexpr Index huge = Index{1} << 61;
  Problem problem = good_problem();
  problem.input = slab_split(0).with_halo({0, huge}, {0, 0});
  expect_refused(problem, {"input layout", "2305843009213693952"});
  problem.input = slab_split(0).with_halo({0, huge}, {0, huge});
  expect_refused(problem, {"input layout", "2305843009213693952"});
  problem.input = slab_split(0).with_strides({huge, 1});
  expect_refused(problem, {"input layout", "2305843009213693952"});
}

TEST_F(BadLayout, BoxesLongerThan64Bits) {
  constexpr Index least = std::numeric_limits<Index>::min(), most = -(least + 1);
  auto list = rows(4, 9);
  list[2] = {{0, least}, {1, most}};
  Problem problem = good_problem();
  problem.input = boxes(list);
  expect_refused(problem, {"of rank 2", "-9223372036854775808"});
}

TEST_F(BadLayout, StridesThatShareMemoryOnOneRank) {
  Problem problem = good_problem();
  problem.input = slab_split(0).with_strides(world_rank() == 1 ? Strides{7, 1} : Strides{8, 1});
  expect_refused(problem,
                 {"rank 1: input layout: strides 7x1 make elements of box [3,6)x[0,8) share "
                  "memory"});
}

TEST_F(BadLayout, StridesOnSomeRanksOnly) {
  Problem problem = good_problem();
  if (world_rank() == 1) problem.input = slab_split(0).with_strides({8, 1});
  expect_refused(problem,
                 {"input layout differs between ranks: slab:0,strided, but on rank 0 slab:0"});
}

TEST_F(BadLayout, FullLengthOutputOfARealTransform) {
  // The spectrum of 8 reals has 5 coefficients; boxes for 8 do not fit it.
  Problem problem = good_problem();
  problem.kinds = r2c;
  problem.input = boxes(rows(3, 6));
  problem.output = boxes(rows(3, 6));
  expect_refused(problem, {"output layout: box [0,3)x[0,8) of rank 0 is not inside the array 9x5"});
  problem.output = box(mine(rows(3, 6)));
  expect_refused(problem, {"output layout: box [0,3)x[0,8) of rank 0 is not inside the array 9x5"});
}

TEST_F(BadLayout, OutputLikeListedBoxesOfARealInput) {
  Problem problem = good_problem();
  problem.kinds = r2c;
  problem.input = boxes(rows(3, 6));
  problem.output = {};
  expect_refused(problem, {"output layout: must be given when boxes are listed for a real input"});
}

TEST_F(BadLayout, PaddingThatCannotWork) {
  Problem problem = good_problem();
  problem.input = slab_split(0).padded_for_r2c();
  expect_refused(problem, {"input layout: padding for r2c, but no axis has kind r2c"});
  problem.kinds = r2c;
  problem.input = slab_split(1).padded_for_r2c();
  expect_refused(problem, {"needs the halved axis 1 whole on each rank"});
  problem.input = slab_split(0);
  problem.output = slab_split(0).padded_for_r2c();
  expect_refused(problem, {"output layout: padding for r2c"});
}

}  // namespace
}  // namespace weft
