// Chunks: together they are the whole redistribution, both sides agree on each, and the axis is one
// that both leave alone where there is one.
#include <gtest/gtest.h>

#include "schedule/chunks.hpp"
#include "schedule/planner.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

Problem problem_of(const Extents& shape, Index ranks, Index rank, const Kinds& kinds,
                   const LayoutSpec& in, const LayoutSpec& out, Index batch = 1) {
  BasicProblem<Index> given;
  given.shape = shape;
  given.comm = ranks;
  given.kinds = kinds;
  given.in = in;
  given.out = out;
  given.batch = batch;
  return resolve(given, rank);
}

std::vector<RedistributeStage> moves_of(const Schedule& schedule) {
  std::vector<RedistributeStage> moves;
  for (const Stage& stage : schedule.stages) {
    if (const auto* move = std::get_if<RedistributeStage>(&stage)) moves.push_back(*move);
  }
  return moves;
}

std::vector<AxisList> local_axes(const Schedule& schedule) {
  std::vector<AxisList> axes;
  for (const Stage& stage : schedule.stages) {
    if (const auto* local = std::get_if<LocalStage>(&stage)) axes.push_back(local->axes);
  }
  return axes;
}

Options in_chunks(Index count) {
  Options options;
  options.chunks = count;
  return options;
}

TEST(Chunking, PartsAreBalancedAlignedAndTileTheBox) {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    Box box{{random.below(90), 3}, {0, 9}};
    box.upper[0] = box.lower[0] + 1 + random.below(200);
    Chunking chunking;
    chunking.axis = 0;
    chunking.count = 1 + random.below(9);
    chunking.alignment = random.chance(50) ? 1 : Index{1} << random.below(7);
    Index at = box.lower[0], largest = 0;
    for (Index chunk = 0; chunk < chunking.count; ++chunk) {
      const Box part = chunking.part(box, chunk);
      if (part.empty()) continue;
      ASSERT_EQ(part.lower[0], at);
      ASSERT_EQ(part.lower[1], 3);
      at = part.upper[0];
      if (at != box.upper[0]) ASSERT_EQ(at % chunking.alignment, 0);
      largest = std::max(largest, part.extent(0));
    }
    ASSERT_EQ(at, box.upper[0]);
    ASSERT_LE(largest, box.extent(0) / chunking.count + 1 + chunking.alignment);
  }
  EXPECT_TRUE(Chunking{}.part(Box{{0}, {5}}, 0) == (Box{{0}, {5}}));
}

TEST(ChooseChunking, SlabsAreCutAlongTheAxisThatIsWholeOnBothSides) {
  const Problem problem = problem_of({32, 32, 32}, 4, 1, c2c, slab(0), slab(1));
  const Schedule schedule = plan_schedule(problem, in_chunks(4), 1 << 18);
  const auto moves = moves_of(schedule);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.axis, 2);
  EXPECT_EQ(moves[0].chunking.count, 4);
  EXPECT_TRUE(moves[0].chunking.of_sender && moves[0].chunking.of_receiver);
  // Axis 2 is transformed before it is cut.
  const auto axes = local_axes(schedule);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0], AxisList{2});
  EXPECT_EQ(axes[1], AxisList{1});
  EXPECT_EQ(axes[2], AxisList{0});
  // One chunk is the plain path.
  const auto plain = local_axes(plan_schedule(problem, in_chunks(1), 1 << 18));
  EXPECT_EQ(plain.size(), 2u);
}

TEST(ChooseChunking, PencilsAreCutAlongTheAxisThatNeitherSideTransforms) {
  const Problem problem = problem_of({32, 32, 32}, 4, 1, r2c, pencil(2), pencil(0));
  Options options = in_chunks(3);
  options.algorithm = Algorithm::pencil;  // otherwise slabs may lie between them
  const auto moves = moves_of(plan_schedule(problem, options, 1 << 18));
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[0].chunking.axis, 0);
  EXPECT_EQ(moves[1].chunking.axis, 2);
}

TEST(ChooseChunking, FieldsOfABatchComeFirst) {
  const Problem problem = problem_of({16, 16, 16}, 2, 0, c2c, slab(0), slab(1), 4);
  const auto moves = moves_of(plan_schedule(problem, in_chunks(4), 1 << 18));
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.axis, 3);
}

TEST(ChooseChunking, WithoutACommonAxisSendersCutTheirOwnBoxes) {
  const Problem problem = problem_of({64, 48}, 4, 2, c2c, slab(0), slab(1));
  const Schedule schedule = plan_schedule(problem, in_chunks(4), 1 << 18);
  const auto moves = moves_of(schedule);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.axis, 0);
  EXPECT_TRUE(moves[0].chunking.of_sender);
  EXPECT_FALSE(moves[0].chunking.of_receiver);
  const auto back = moves_of(reversed(schedule));
  EXPECT_FALSE(back[0].chunking.of_sender);
  EXPECT_TRUE(back[0].chunking.of_receiver);
}

TEST(Separate, OrdersAxesByWhenTheirChunksTravel) {
  const auto parts = [](AxisMask mask, int in, int out, int halved) {
    return separate(mask, in, out, halved);
  };
  EXPECT_EQ(parts(0b111, -1, -1, -1), (std::vector<AxisMask>{0b111}));
  EXPECT_EQ(parts(0b110, -1, 2, -1), (std::vector<AxisMask>{0b100, 0b010}));
  EXPECT_EQ(parts(0b110, 2, -1, -1), (std::vector<AxisMask>{0b010, 0b100}));
  EXPECT_EQ(parts(0b111, 0, 2, -1), (std::vector<AxisMask>{0b100, 0b010, 0b001}));
  EXPECT_EQ(parts(0b111, -1, 0, 2), (std::vector<AxisMask>{0b101, 0b010}));  // halved goes first
  EXPECT_EQ(parts(0b110, 2, -1, 2), (std::vector<AxisMask>{0b110}));
  EXPECT_EQ(parts(0b100, 2, 2, -1), (std::vector<AxisMask>{0b100}));
}

/// All messages of all chunks of a random redistribution, of all ranks.
TEST(ChunkMessages, AreTheWholeMessagesCutInTheSameWayOnBothSides) {
  Random random(8);
  for (int trial = 0; trial < 200; ++trial) {
    const Extents shape = test::random_shape(random, 3, 12);
    const int ranks = 1 + static_cast<int>(random.below(6));
    RedistributeStage stage;
    stage.before = {shape, true, test::random_dense_layout(random, shape, ranks)};
    stage.after = {shape, true, test::random_dense_layout(random, shape, ranks)};
    stage.order = natural_order(shape.size());
    const AxisMask mask = static_cast<AxisMask>(random.below(8));
    stage.chunking =
        choose_chunking({&stage.before.layout.distribution, &stage.after.layout.distribution, shape,
                         mask, 0, stage.order, 1 + random.below(5), random.chance(50) ? 1 : 4});
    const auto same = [](const Message& a, const Box& region) { return a.region == region; };
    for (int rank = 0; rank < ranks; ++rank) {
      Index sent = 0, received = 0;
      for (Index chunk = 0; chunk < stage.chunking.count; ++chunk) {
        const Redistribution mine = messages(stage, rank, chunk);
        for (const Message& message : mine.sends) {
          sent += message.region.count();
          const auto theirs = messages(stage, message.peer, chunk).receives;
          ASSERT_TRUE(std::any_of(theirs.begin(), theirs.end(), [&](const Message& other) {
            return other.peer == rank && same(other, message.region);
          }));
        }
        for (const Message& message : mine.receives) received += message.region.count();
      }
      ASSERT_EQ(sent, stage.before.box(rank).count());
      ASSERT_EQ(received, stage.after.box(rank).count());
    }
  }
}

}  // namespace
}  // namespace weft
