// Orders of arrays on devices: a library's call knows one loop around its transforms.
#include <gtest/gtest.h>

#include "schedule/path.hpp"
#include "schedule/planner.hpp"
#include "schedule/step_memory.hpp"

namespace weft {
namespace {

StepMemory memory_of(AxisList order, Extents extents, AxisMask transformed, int halved = -1) {
  return {order, extents, transformed, halved};
}

TEST(StepMemory, IsOneLoopWhereOtherAxesLieTogether) {
  EXPECT_TRUE(memory_of({0, 1, 2}, {4, 5, 6}, bit(0)).is_one_loop());
  EXPECT_FALSE(memory_of({0, 1, 2}, {4, 5, 6}, bit(1)).is_one_loop());
  EXPECT_TRUE(memory_of({0, 1, 2}, {4, 5, 6}, bit(2)).is_one_loop());
  EXPECT_TRUE(memory_of({1, 0, 2}, {4, 5, 6}, bit(1)).is_one_loop());
  EXPECT_TRUE(memory_of({0, 1, 2}, {4, 5, 6}, bit(0) | bit(2)).is_one_loop());
  EXPECT_FALSE(memory_of({0, 1, 2, 3}, {4, 5, 6, 2}, bit(1) | bit(2)).is_one_loop());
  // Axes of one point are no loops.
  EXPECT_TRUE(memory_of({0, 1, 2}, {1, 5, 6}, bit(1)).is_one_loop());
  EXPECT_TRUE(memory_of({0, 1, 2}, {4, 5, 6}, 0).is_one_loop());
  EXPECT_TRUE(memory_of({0, 1, 2}, {0, 0, 0}, bit(1)).is_one_loop());
}

TEST(StepMemory, IsCutAlongTheSlowestAxisOfItsLoop) {
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(0)).cuts(), bit(1));
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(2)).cuts(), bit(0));
  EXPECT_EQ(memory_of({2, 1, 0}, {4, 1, 6}, bit(2)).cuts(), bit(0));
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(0)).any_cut(), bit(1) | bit(2));
  // It has to be copied anyway.
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(1)).cuts(), bit(0) | bit(2));
}

TEST(StepMemory, ChangesItsOrderOnlyWhereItMust) {
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(0)).order_for(-1), (AxisList{0, 1, 2}));
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(0)).order_for(1), (AxisList{0, 1, 2}));
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(0)).order_for(2), (AxisList{0, 2, 1}));
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(1)).order_for(-1), (AxisList{1, 0, 2}));
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(1)).order_for(2), (AxisList{1, 2, 0}));
  // Lines that become complex are contiguous.
  EXPECT_EQ(memory_of({0, 1, 2}, {4, 5, 6}, bit(1), 1).order_for(-1), (AxisList{0, 2, 1}));
  EXPECT_EQ(memory_of({0, 1, 2, 3}, {4, 5, 6, 3}, bit(1) | bit(2), 1).order_for(3),
            (AxisList{3, 0, 2, 1}));
}

Schedule plan_on_device(const Extents& shape, Index ranks, const LayoutSpec& in,
                        const LayoutSpec& out, Index chunks, const Kinds& kinds = c2c,
                        Algorithm algorithm = Algorithm::pencil) {
  Problem given;
  given.shape = shape;
  given.kinds = kinds;
  given.input = in;
  given.output = out;
  Options options;
  options.device = "cuda";
  options.algorithm = algorithm;
  options.chunks = chunks;
  return plan_schedule(resolve(given, ranks, 0), options, {.caches = 1 << 18});
}

template <class Part>
std::vector<Part> parts_of(const Schedule& schedule) {
  std::vector<Part> parts;
  for (const Stage& stage : schedule.stages) {
    if (const auto* part = std::get_if<Part>(&stage)) parts.push_back(*part);
  }
  return parts;
}

TEST(DeviceSchedule, PencilsGoThroughInChunksOfOneAxis) {
  const Schedule schedule = plan_on_device({32, 32, 32}, 4, pencil_along(2), pencil_along(0), 4);
  const auto moves = parts_of<RedistributeStage>(schedule);
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[0].chunking.sender, (Cut{0, 4}));
  EXPECT_EQ(moves[0].chunking.receiver, (Cut{0, 4}));
  // Parts leave as they came. In the user's output axis 1 is the slowest of the loop.
  EXPECT_EQ(moves[1].chunking.sender, (Cut{0, 4}));
  EXPECT_EQ(moves[1].chunking.receiver, (Cut{1, 4}));
  const auto locals = parts_of<LocalStage>(schedule);
  ASSERT_EQ(locals.size(), 3u);
  EXPECT_EQ(locals[1].before.layout.memory.order, (AxisList{1, 0, 2}));
  EXPECT_EQ(locals[1].after.layout.memory.order, (AxisList{1, 0, 2}));
  EXPECT_EQ(moves[1].after.layout.memory.order, (AxisList{0, 1, 2}));
}

TEST(DeviceSchedule, EveryStageIsOneLoopWhereTheUserLeavesTheChoice) {
  const AxisList orders[] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
  for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
    for (const AxisList& in_order : orders) {
      for (const AxisList& out_order : orders) {
        for (const Index chunks : {1, 3}) {
          const Schedule forward =
              plan_on_device({24, 20, 28}, 4, pencil_along(2).with_order(in_order),
                             pencil_along(0).with_order(out_order), chunks, kinds);
          for (const Schedule& schedule : {forward, reversed(forward)}) {
            for (std::size_t i = 1; i + 1 < schedule.stages.size(); ++i) {
              const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
              if (local == nullptr) continue;
              AxisMask axes = 0;
              for (int axis : local->axes) axes |= bit(axis);
              EXPECT_TRUE(
                  memory_of(local->before.layout.memory.order, local->before.box(0).extents(), axes)
                      .is_one_loop());
            }
          }
        }
      }
    }
  }
}

TEST(DeviceSchedule, SidesAreCutThatNeedNoMoreCallsForIt) {
  const Schedule schedule = plan_on_device({32, 32, 32}, 4, pencil_along(1), pencil_along(0), 4,
                                           {Kind::c2c, Kind::c2c, Kind::none});
  const auto moves = parts_of<RedistributeStage>(schedule);
  ASSERT_EQ(moves.size(), 1u);
  // Only axis 2 is left alone, but in the array of the receiver axis 1 is the slowest. The sender
  // copies its array anyway, and so can be cut along axis 0, which keeps rows long.
  EXPECT_EQ(moves[0].chunking.sender, (Cut{0, 4}));
  EXPECT_EQ(moves[0].chunking.receiver, (Cut{1, 4}));
  EXPECT_EQ(moves[0].before.layout.memory.order, (AxisList{1, 0, 2}));
}

TEST(DeviceSchedule, LargeSlabsAreCutInPlanesBeforeAndTheLargestInBlocksOfLinesAfter) {
  struct Case {
    Index length, ranks;
    Precision precision;
    Index parts;
    Index received = 1, asked = 0;
    std::string codec = "auto";
  };
  for (const Case& the_case : {Case{1024, 8, Precision::f64, 4, 4},
                               {1024, 8, Precision::f64, 2, 2, 0, "cast:fp32"},
                               {512, 2, Precision::f64, 2, 2, 0, "cast:fp32"},
                               {512, 2, Precision::f32, 2, 1, 0, "cast:bf16"},
                               {1024, 4, Precision::f64, 4, 4},
                               {1024, 2, Precision::f64, 4, 4},
                               {512, 2, Precision::f64, 4},
                               {1024, 8, Precision::f32, 4},
                               {512, 4, Precision::f64, 4},
                               {512, 8, Precision::f64, 2},
                               {256, 2, Precision::f64, 1},
                               {512, 64, Precision::f64, 1},
                               {1024, 32, Precision::f64, 4},
                               {1024, 8, Precision::f64, 3, 3, 3}}) {
    Problem given;
    given.shape = {the_case.length, the_case.length, the_case.length};
    given.input = slab_split(0);
    given.output = slab_split(1);
    given.precision = the_case.precision;
    Options options;
    options.device = "cuda";
    options.chunks = the_case.asked;
    options.codec = the_case.codec;
    const Schedule schedule =
        plan_schedule(resolve(given, the_case.ranks, 0), options, {.caches = 1 << 18});
    const auto moves = parts_of<RedistributeStage>(schedule);
    ASSERT_EQ(moves.size(), 1u);
    SCOPED_TRACE(std::to_string(the_case.length) + " on " + std::to_string(the_case.ranks));
    const auto cut = [](int axis, Index parts) { return parts > 1 ? Cut{axis, parts} : Cut{}; };
    EXPECT_EQ(moves[0].chunking.sender, cut(0, the_case.parts));
    EXPECT_EQ(moves[0].chunking.receiver, cut(1, the_case.received));
    EXPECT_EQ(moves[0].chunking.order, ChunkOrder::by_sender);
    EXPECT_EQ(moves[0].after.layout.memory.order, (AxisList{0, 1, 2}));
  }
}

}  // namespace
}  // namespace weft
