#include <gtest/gtest.h>

#include <set>

#include "geometry/layout.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

LayoutContext context(const Extents& shape, Index ranks, Index rank = 0) {
  LayoutContext result;
  result.shape = shape;
  result.ranks = ranks;
  result.rank = rank;
  return result;
}

Extents parts_of(const LayoutSpec& spec, const Extents& shape, Index ranks) {
  const Layout layout = resolve(spec, context(shape, ranks), "input");
  Extents parts;
  for (const GridAxis& axis : layout.distribution.grid()) parts.push_back(axis.parts);
  return parts;
}

std::string complaint(const LayoutSpec& spec, const LayoutContext& where) {
  try {
    resolve(spec, where, "input");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Layout, ConstructorsSplitTheDocumentedAxes) {
  EXPECT_EQ(parts_of(slab_split(1), {8, 8, 8}, 6), (Extents{1, 6, 1}));
  EXPECT_EQ(parts_of(pencil_along(2), {8, 8, 8}, 6), (Extents{2, 3, 1}));
  EXPECT_EQ(parts_of(pencil_along(0), {8, 8, 8}, 6), (Extents{1, 2, 3}));
  EXPECT_EQ(parts_of(pencil_along(1), {8, 8, 8, 8}, 6), (Extents{2, 1, 3, 1}));
  EXPECT_EQ(parts_of(brick(), {8, 8, 8}, 12), (Extents{2, 2, 3}));
  EXPECT_EQ(parts_of(brick(), {8, 8, 8, 8}, 8), (Extents{2, 2, 2, 1}));
  EXPECT_EQ(parts_of(brick(), {8, 8}, 6), (Extents{2, 3}));
  EXPECT_EQ(parts_of(pencil_along(0), {8, 8}, 6), (Extents{1, 6}));
  EXPECT_EQ(parts_of(grid({3, 1, 2}), {8, 8, 8}, 6), (Extents{3, 1, 2}));
}

TEST(Layout, OneAxisCannotBeAPencilSoItLiesOnRankZero) {
  const Layout layout = resolve(pencil_along(0), context({8}, 3), "input");
  EXPECT_EQ(layout.distribution.box({8}, 0), whole({8}));
  EXPECT_TRUE(layout.distribution.box({8}, 1).empty());
  EXPECT_TRUE(layout.distribution.box({8}, 2).empty());
}

TEST(Layout, SplitRuleIsHonored) {
  const auto own = [](const LayoutSpec& spec, Index rank) {
    return resolve(spec, context({10}, 4), "input").distribution.box({10}, rank);
  };
  EXPECT_EQ(own(slab_split(0), 1), (Box{{3}, {6}}));
  EXPECT_EQ(own(slab_split(0), 3), (Box{{8}, {10}}));
  EXPECT_EQ(own(slab_split(0).with_split(Split::block), 3), (Box{{9}, {10}}));
  EXPECT_EQ(own(grid({4}).with_split(Split::block), 3), (Box{{9}, {10}}));
}

TEST(Layout, OrderAndHaloGiveStridesOffsetAndSize) {
  const Box box{{2, 0, 5}, {4, 3, 9}};  // 2 x 3 x 4
  const auto spec = slab_split(0).with_order({1, 2, 0}).with_halo({1, 0, 2}, {3, 1, 0});
  const View view = resolve(spec, context({8, 8, 16}, 2), "input").memory.view(box);
  EXPECT_EQ(view.stride, (Strides{1, 36, 6}));  // allocated 6 x 4 x 6
  EXPECT_EQ(view.offset, 1 + 2 * 6);
  EXPECT_EQ(view.size, 6 * 4 * 6);
  EXPECT_EQ(view.position({2, 0, 5}), view.offset);
  EXPECT_EQ(view.position({3, 2, 6}), view.offset + 1 + 72 + 6);
}

TEST(Layout, EmptyBoxesNeedNoMemory) {
  const auto spec = slab_split(0).with_halo({1, 1}, {1, 1});
  const View view = resolve(spec, context({1, 4}, 2), "input").memory.view(empty_box(2));
  EXPECT_EQ(view.size, 0);
  EXPECT_EQ(view.offset, 0);
}

TEST(Layout, DenseMemoryKeepsTheOrderOnly) {
  const auto spec = slab_split(0).with_order({1, 0}).with_halo({1, 1}, {1, 1});
  const View view = resolve(spec, context({4, 3}, 1), "input").memory.dense().view(whole({4, 3}));
  EXPECT_EQ(view.stride, (Strides{1, 4}));
  EXPECT_EQ(view.size, 12);
  EXPECT_EQ(view.offset, 0);
}

TEST(Layout, ExplicitStridesAreUsedAsGiven) {
  const Layout layout =
      resolve(slab_split(0).with_strides({1, 100, 7}), context({4, 3, 10}, 1), "input");
  EXPECT_EQ(layout.memory.order, (AxisList{1, 2, 0}));  // by decreasing stride
  const View view = layout.memory.view(whole({4, 3, 10}));
  EXPECT_EQ(view.stride, (Strides{1, 100, 7}));
  EXPECT_EQ(view.offset, 0);
  EXPECT_EQ(view.size, 3 * 1 + 2 * 100 + 9 * 7 + 1);
}

TEST(Layout, BatchIsOneMoreWholeAxis) {
  LayoutContext where = context({4, 6}, 2);
  where.batch = 3;
  const Layout contiguous = resolve(slab_split(0), where, "input");
  EXPECT_EQ(contiguous.distribution.box({4, 6, 3}, 1), (Box{{2, 0, 0}, {4, 6, 3}}));
  EXPECT_EQ(contiguous.memory.view({{2, 0, 0}, {4, 6, 3}}).stride, (Strides{6, 1, 12}));
  where.interleaved = true;
  EXPECT_EQ(resolve(slab_split(0), where, "input").memory.view({{2, 0, 0}, {4, 6, 3}}).stride,
            (Strides{18, 3, 1}));
  EXPECT_EQ(resolve(slab_split(0).with_strides({50, 5, 2}), where, "input")
                .memory.view({{2, 0, 0}, {4, 6, 3}})
                .stride,
            (Strides{50, 5, 2}));
}

TEST(Layout, BatchWithHaloLeavesGapsBetweenFields) {
  LayoutContext where = context({4}, 1);
  where.batch = 2;
  const View view =
      resolve(slab_split(0).with_halo({1}, {2}), where, "input").memory.view(whole({4, 2}));
  EXPECT_EQ(view.stride, (Strides{1, 7}));
  EXPECT_EQ(view.offset, 1);
  EXPECT_EQ(view.size, 14);
}

TEST(Layout, PaddingMakesRoomForTheHalfSpectrum) {
  for (const Index n : {1, 2, 5, 8}) {
    LayoutContext where = context({3, n}, 1);
    where.halved_axis = 1;
    const View view =
        resolve(slab_split(0).padded_for_r2c(), where, "input").memory.view(whole({3, n}));
    EXPECT_EQ(view.stride, (Strides{2 * (n / 2 + 1), 1})) << n;
    EXPECT_EQ(view.size, 3 * 2 * (n / 2 + 1)) << n;
  }
}

TEST(Layout, PaddingIsRefusedWhereItCannotWork) {
  LayoutContext where = context({8, 8}, 2);
  EXPECT_EQ(complaint(slab_split(0).padded_for_r2c(), where),
            "input layout: padding for r2c, but no axis has kind r2c");
  where.halved_axis = 0;
  EXPECT_EQ(complaint(slab_split(1).padded_for_r2c(), where),
            "input layout: padding for r2c needs the halved axis 0 last in memory order (0,1)");
  EXPECT_EQ(complaint(slab_split(0).padded_for_r2c().with_order({1, 0}), where),
            "input layout: padding for r2c needs the halved axis 0 whole on each rank");
  EXPECT_EQ(complaint(slab_split(1).padded_for_r2c().with_order({1, 0}), where), "");
}

TEST(Layout, RefusesWhatDoesNotFit) {
  const auto where = context({8, 8}, 4);
  EXPECT_EQ(complaint(slab_split(2), where),
            "input layout slab: axis 2 is not one of the 2 axes of the array");
  EXPECT_EQ(complaint(pencil_along(-1), where),
            "input layout pencil: axis -1 is not one of the 2 axes of the array");
  EXPECT_EQ(complaint(grid({2, 3}), where),
            "input layout grid 2x3 needs 6 ranks, the communicator has 4");
  EXPECT_EQ(complaint(grid({4}), where), "input layout grid 4 has 1 axes, the array 8x8 has 2");
  EXPECT_EQ(complaint(grid({-2, -2}), where), "input layout grid -2x-2: parts must be positive");
  EXPECT_EQ(complaint(boxes({whole({8, 8})}), where),
            "input layout lists 1 boxes, the communicator has 4 ranks");
  EXPECT_EQ(complaint(boxes(std::vector<Box>(4, whole({8, 8}))), where)
                .rfind("input layout: boxes overlap", 0),
            0u);
}

TEST(Layout, RefusesOrdersThatAreNoPermutation) {
  const auto where = context({4, 4, 4}, 1);
  for (const AxisList& order : {AxisList{0, 1}, AxisList{0, 1, 1}, AxisList{0, 1, 3},
                                AxisList{-1, 0, 1}, AxisList{0, 1, 2, 2}}) {
    EXPECT_EQ(complaint(slab_split(0).with_order(order), where),
              "input layout: memory order " + to_string(order) +
                  " is not a permutation of the axes 0 to 2");
  }
  EXPECT_EQ(complaint(slab_split(0).with_order({2, 0, 1}), where), "");
}

TEST(Layout, RefusesBadHalo) {
  const auto where = context({4, 4}, 1);
  EXPECT_EQ(complaint(slab_split(0).with_halo({1}, {1, 1}), where),
            "input layout: halo 1 has not 2 axes");
  EXPECT_EQ(complaint(slab_split(0).with_halo({1, 1}, {0, -2}), where),
            "input layout: halo 0x-2 is negative");
}

TEST(Layout, RefusesStridesThatShareMemory) {
  const auto where = context({4, 3}, 1);
  EXPECT_EQ(complaint(slab_split(0).with_strides({2, 1}), where),
            "input layout: strides 2x1 make elements of box [0,4)x[0,3) share memory");
  EXPECT_EQ(complaint(slab_split(0).with_strides({1, 3}), where),
            "input layout: strides 1x3 make elements of box [0,4)x[0,3) share memory");
  EXPECT_EQ(complaint(slab_split(0).with_strides({0, 1}), where),
            "input layout: strides 0x1 must be positive");
  EXPECT_EQ(complaint(slab_split(0).with_strides({-3, 1}), where),
            "input layout: strides -3x1 must be positive");
  EXPECT_EQ(complaint(slab_split(0).with_strides({3}), where),
            "input layout: strides 3 need 2 entries");
  EXPECT_EQ(complaint(slab_split(0).with_strides({3, 1}).with_order({0, 1}), where),
            "input layout: explicit strides exclude order, halo and padding");
  EXPECT_EQ(complaint(slab_split(0).with_strides({3, 1}).with_halo({0, 0}, {0, 0}), where),
            "input layout: explicit strides exclude order, halo and padding");
  EXPECT_EQ(complaint(slab_split(0).with_strides({3, 1}), where), "");
  EXPECT_EQ(complaint(slab_split(0).with_strides({1, 4}), where), "");
}

TEST(Layout, AcceptedStridesNeverShareMemory) {
  Random random(6);
  int accepted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Extents shape = test::random_shape(random, 3, 4);
    Strides strides;
    for (int axis = 0; axis < shape.size(); ++axis) strides.push_back(1 + random.below(20));
    if (!complaint(slab_split(0).with_strides(strides), context(shape, 1)).empty()) continue;
    ++accepted;
    const View view = resolve(slab_split(0).with_strides(strides), context(shape, 1), "input")
                          .memory.view(whole(shape));
    std::set<Index> positions;
    for (Index number = 0; number < product(shape); ++number) {
      Extents point = shape;
      Index rest = number;
      for (int axis = 0; axis < shape.size(); ++axis) {
        point[axis] = rest % shape[axis];
        rest /= shape[axis];
      }
      ASSERT_LT(view.position(point), view.size);
      ASSERT_TRUE(positions.insert(view.position(point)).second)
          << to_string(shape) << " strides " << to_string(strides);
    }
  }
  EXPECT_GT(accepted, 300);
}

TEST(Layout, ViewsHoldBeyond32Bits) {
  const Extents shape{1 << 17, 1 << 17, 1 << 17};
  const View view = resolve(slab_split(0), context(shape, 4), "input")
                        .memory.view({{0, 0, 0}, {1 << 15, 1 << 17, 1 << 17}});
  EXPECT_EQ(view.size, Index{1} << 49);
  EXPECT_EQ(view.position({(1 << 15) - 1, (1 << 17) - 1, (1 << 17) - 1}), (Index{1} << 49) - 1);
}

}  // namespace
}  // namespace weft
