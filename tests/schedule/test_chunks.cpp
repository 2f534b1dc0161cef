// Chunks: together they are the whole redistribution, both sides agree on each, the axes are such
// as let both sides work meanwhile, and the way back is the same in reverse.
#include <gtest/gtest.h>

#include "schedule/chunks.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"
#include "support/random_distribution.hpp"

namespace weft {
namespace {

using test::Random;

ResolvedProblem problem_of(const Extents& shape, Index ranks, Index rank, const Kinds& kinds,
                           const LayoutSpec& in, const LayoutSpec& out, Index batch = 1) {
  Problem given;
  given.shape = shape;
  given.kinds = kinds;
  given.input = in;
  given.output = out;
  given.batch = batch;
  return resolve(given, ranks, rank);
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

Options in_chunks(Index count, Index receive_count = 0) {
  Options options;
  options.chunks = count;
  options.receive_chunks = receive_count;
  return options;
}

constexpr Index whole = Chunk::whole;

TEST(Cut, PartsAreBalancedAlignedAndTileTheBox) {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    Box box{{random.below(90), 3}, {0, 9}};
    box.upper[0] = box.lower[0] + 1 + random.below(200);
    Cut cut;
    cut.axis = 0;
    cut.count = 1 + random.below(9);
    cut.alignment = random.chance(50) ? 1 : Index{1} << random.below(7);
    Index at = box.lower[0], largest = 0;
    for (Index number = 0; number < cut.count; ++number) {
      const Box part = cut.part(box, number);
      if (part.empty()) continue;
      ASSERT_EQ(part.lower[0], at);
      ASSERT_EQ(part.lower[1], 3);
      at = part.upper[0];
      ASSERT_TRUE(at == box.upper[0] || at % cut.alignment == 0);
      largest = std::max(largest, part.extent(0));
    }
    ASSERT_EQ(at, box.upper[0]);
    ASSERT_LE(largest, box.extent(0) / cut.count + 1 + cut.alignment);
    ASSERT_TRUE(cut.part(box, whole) == box);
  }
  EXPECT_TRUE(Cut{}.part(Box{{0}, {5}}, 0) == (Box{{0}, {5}}));
}

TEST(Chunking, BlocksOfOneSideTravelWholeButThoseThatTheOtherSideNeedsFirst) {
  const Extents shape{12, 12};
  const auto slabs = [](int axis) {
    Axes<GridAxis> grid{{}, {}};
    grid[axis].parts = 3;
    return Distribution::by_grid(grid, 3);
  };
  const auto chunks_of = [&](const Chunking& chunking) {
    return chunking.chunks(slabs(0), slabs(1), shape);
  };
  const Chunking uncut;
  EXPECT_EQ(chunks_of(uncut), (std::vector<Chunk>{{0, 0}}));
  const Chunking chunking{{0, 3}, {1, 2}, ChunkOrder::by_sender};
  EXPECT_EQ(chunks_of(chunking), (std::vector<Chunk>{{0, whole}, {1, whole}, {2, 0}, {2, 1}}));
  const Chunking back = chunking.reversed();
  EXPECT_EQ(chunks_of(back), (std::vector<Chunk>{{0, 0}, {1, 0}, {whole, 1}, {whole, 2}}));
  EXPECT_EQ(chunks_of(back.reversed()), chunks_of(chunking));
  const Chunking sender_only{{0, 2}, {}, ChunkOrder::by_sender};
  EXPECT_EQ(chunks_of(sender_only), (std::vector<Chunk>{{0, whole}, {1, 0}}));
  EXPECT_EQ(chunks_of(sender_only.reversed()), (std::vector<Chunk>{{0, 0}, {whole, 1}}));
  // The same parts of an axis that moves are not those of the other side.
  const Chunking equal{{0, 2}, {0, 2}, ChunkOrder::by_sender};
  EXPECT_EQ(chunks_of(equal), (std::vector<Chunk>{{0, whole}, {1, 0}, {1, 1}}));
  EXPECT_EQ(equal.chunks(slabs(1), slabs(1), shape), (std::vector<Chunk>{{0, 0}, {1, 1}}));
}

TEST(ChooseChunking, SlabsAreCutAlongTheAxisThatIsWholeOnBothSides) {
  const ResolvedProblem problem = problem_of({32, 32, 32}, 4, 1, c2c, slab_split(0), slab_split(1));
  const Schedule schedule = plan_schedule(problem, in_chunks(4), {.caches = 1 << 18});
  const auto moves = moves_of(schedule);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.sender, (Cut{2, 4}));
  EXPECT_EQ(moves[0].chunking.receiver, (Cut{2, 4}));
  EXPECT_EQ(moves[0].chunks(), (std::vector<Chunk>{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
  // Axis 2 is transformed before it is cut.
  const auto axes = local_axes(schedule);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0], AxisList{2});
  EXPECT_EQ(axes[1], AxisList{1});
  EXPECT_EQ(axes[2], AxisList{0});
  // One chunk is the plain path.
  const auto plain = local_axes(plan_schedule(problem, in_chunks(1), {.caches = 1 << 18}));
  EXPECT_EQ(plain.size(), 2u);
}

TEST(ChooseChunking, PartsOfBothSidesAreTheLargerNumber) {
  const ResolvedProblem problem = problem_of({32, 32, 32}, 4, 1, c2c, slab_split(0), slab_split(1));
  for (const auto& [chunks, received] : {std::pair<Index, Index>{4, 2}, {2, 4}}) {
    const auto moves =
        moves_of(plan_schedule(problem, in_chunks(chunks, received), {.caches = 1 << 18}));
    EXPECT_EQ(moves[0].chunking.sender, (Cut{2, 4}));
    EXPECT_EQ(moves[0].chunking.receiver, (Cut{2, 4}));
  }
}

TEST(ChooseChunking, OneSideMayBeCutAlone) {
  const ResolvedProblem problem = problem_of({32, 32, 32}, 4, 1, c2c, slab_split(0), slab_split(1));
  const auto sent = moves_of(plan_schedule(problem, in_chunks(3, 1), {.caches = 1 << 18}));
  EXPECT_EQ(sent[0].chunking.sender, (Cut{0, 3}));
  EXPECT_EQ(sent[0].chunking.receiver, Cut{});
  // Along axis 1, as runs stay long, unless its eight points are too few.
  const auto received = moves_of(plan_schedule(problem, in_chunks(1, 2), {.caches = 1 << 18}));
  EXPECT_EQ(received[0].chunking.sender, Cut{});
  EXPECT_EQ(received[0].chunking.receiver, (Cut{1, 2}));
  const auto many = moves_of(plan_schedule(problem, in_chunks(1, 5), {.caches = 1 << 18}));
  EXPECT_EQ(many[0].chunking.receiver, (Cut{2, 5}));
}

TEST(ChooseChunking, PencilsAreCutAlongTheAxisThatNeitherSideTransforms) {
  const ResolvedProblem problem =
      problem_of({32, 32, 32}, 4, 1, r2c, pencil_along(2), pencil_along(0));
  Options options = in_chunks(3);
  options.algorithm = Algorithm::pencil;  // otherwise slabs may lie between them
  const auto moves = moves_of(plan_schedule(problem, options, {.caches = 1 << 18}));
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[0].chunking.sender, (Cut{0, 3}));
  EXPECT_EQ(moves[0].chunking.receiver, (Cut{0, 3}));
  EXPECT_EQ(moves[1].chunking.sender, (Cut{2, 3}));
  EXPECT_EQ(moves[1].chunking.receiver, (Cut{2, 3}));
}

TEST(ChooseChunking, FieldsOfABatchComeFirst) {
  const ResolvedProblem problem =
      problem_of({16, 16, 16}, 2, 0, c2c, slab_split(0), slab_split(1), 4);
  const auto moves = moves_of(plan_schedule(problem, in_chunks(4), {.caches = 1 << 18}));
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.sender, (Cut{3, 4}));
}

TEST(ChooseChunking, WithoutACommonAxisEachSideCutsItsOwnBoxes) {
  const ResolvedProblem problem = problem_of({64, 48}, 4, 2, c2c, slab_split(0), slab_split(1));
  const Schedule schedule = plan_schedule(problem, in_chunks(4, 3), {.caches = 1 << 18});
  const auto moves = moves_of(schedule);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.sender, (Cut{0, 4}));
  EXPECT_EQ(moves[0].chunking.receiver, (Cut{1, 3}));
  EXPECT_EQ(moves[0].chunking.order, ChunkOrder::by_sender);
  const auto back = moves_of(reversed(schedule));
  EXPECT_EQ(back[0].chunking.sender, (Cut{1, 3}));
  EXPECT_EQ(back[0].chunking.receiver, (Cut{0, 4}));
  EXPECT_EQ(back[0].chunking.order, ChunkOrder::by_receiver);
  const std::string text = describe(schedule, problem);
  EXPECT_NE(text.find("in 6 chunks: 4 parts of axis 0 leave, 3 parts of axis 1 arrive"),
            std::string::npos)
      << text;
}

/// As if it were for a device: there axes that are transformed are not cut.
Chunking chunking_of(AxisMask before, AxisMask after) {
  const Extents shape{40, 40, 40};
  const ResolvedProblem problem = problem_of(shape, 4, 0, c2c, slab_split(0), slab_split(1));
  ChunkRequest request;
  request.shape = shape;
  request.order = {0, 1, 2};
  request.sender = {&problem.input.distribution, before, ~before, 4};
  request.receiver = {&problem.output.distribution, after, ~after, 2};
  return choose_chunking(request);
}

TEST(ChooseChunking, PartsOfTheSideThatHasLessToDoAreTheSmallerOnes) {
  const Chunking planes_first = chunking_of(bit(1) | bit(2), bit(0));
  EXPECT_EQ(planes_first.sender, (Cut{0, 4}));
  EXPECT_EQ(planes_first.receiver, (Cut{1, 2}));
  EXPECT_EQ(planes_first.order, ChunkOrder::by_sender);
  const Chunking planes_last = chunking_of(bit(2), bit(0) | bit(2));
  EXPECT_EQ(planes_last.order, ChunkOrder::by_receiver);
  EXPECT_EQ(chunking_of(0, bit(0) | bit(2)).order, ChunkOrder::by_receiver);
}

TEST(ChooseChunking, AnAxisThatIsAllThatASideTransformsIsNotCommon) {
  // Axis 2 is whole on both sides, but the sender has nothing else to do than to transform it.
  const Chunking chunking = choose_chunking([] {
    static const ResolvedProblem problem =
        problem_of({40, 40, 40}, 4, 0, c2c, slab_split(0), slab_split(1));
    ChunkRequest request;
    request.shape = problem.shape;
    request.order = {0, 1, 2};
    request.sender = {&problem.input.distribution, bit(2), ~AxisMask{0}, 2};
    request.receiver = {&problem.output.distribution, bit(0), ~AxisMask{0}, 2};
    return request;
  }());
  EXPECT_EQ(chunking.sender, (Cut{0, 2}));
  EXPECT_EQ(chunking.receiver, (Cut{1, 2}));
}

TEST(ChooseChunking, BlocksOfCodecsAreNotCut) {
  const ResolvedProblem problem =
      problem_of({6, 900}, 2, 0, {Kind::c2c, Kind::none}, slab_split(1), slab_split(0));
  Options options = in_chunks(3);
  options.codec = "bfp:16";
  const auto moves = moves_of(plan_schedule(problem, options, {.caches = 1 << 18}));
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].chunking.sender, (Cut{1, 3, 64}));
  // Of axis 0 there are three points on each rank.
  EXPECT_EQ(moves[0].chunking.receiver, (Cut{1, 3, 64}));
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

Cut random_cut(Random& random, int axes) {
  if (random.chance(20)) return {};
  return {static_cast<int>(random.below(axes)), 1 + random.below(5), random.chance(60) ? 1 : 4};
}

/// All messages of all chunks of a random redistribution, of all ranks.
TEST(BlockMessages, AreTheWholeMessagesCutInTheSameWayOnBothSides) {
  Random random(8);
  for (int trial = 0; trial < 400; ++trial) {
    const Extents shape = test::random_shape(random, 3, 12);
    const int ranks = 1 + static_cast<int>(random.below(6));
    RedistributeStage stage;
    stage.before = {shape, true, test::random_dense_layout(random, shape, ranks)};
    stage.after = {shape, true, test::random_dense_layout(random, shape, ranks)};
    stage.order = natural_order(shape.size());
    Chunking& chunking = stage.chunking;
    if (random.chance(50)) {
      const Distribution &before = stage.before.layout.distribution,
                         &after = stage.after.layout.distribution;
      ChunkRequest request;
      request.sender = {&before, static_cast<AxisMask>(random.below(8)), ~AxisMask{0},
                        1 + random.below(5)};
      request.receiver = {&after, static_cast<AxisMask>(random.below(8)), ~AxisMask{0},
                          1 + random.below(5)};
      request.shape = shape;
      request.order = stage.order;
      request.alignment = random.chance(50) ? 1 : 4;
      chunking = choose_chunking(request);
    } else {
      chunking.sender = random_cut(random, shape.size());
      chunking.receiver = random.chance(30) ? chunking.sender : random_cut(random, shape.size());
    }
    if (random.chance(50)) chunking = chunking.reversed();
    for (int rank = 0; rank < ranks; ++rank) {
      Index sent = 0, received = 0;
      for (const Chunk& chunk : stage.chunks()) {
        const MessageLists mine = messages(stage, rank, chunk);
        for (const MessageRegion& message : mine.sends) {
          sent += message.region.count();
          const auto theirs = messages(stage, message.peer, chunk).receives;
          ASSERT_TRUE(std::any_of(theirs.begin(), theirs.end(), [&](const MessageRegion& other) {
            return other.peer == rank && other.region == message.region;
          }));
          ASSERT_TRUE(
              contains(chunking.sender.part(stage.before.box(rank), chunk.sent), message.region));
          ASSERT_TRUE(
              contains(chunking.receiver.part(stage.after.box(message.peer), chunk.received),
                       message.region));
        }
        for (const MessageRegion& message : mine.receives) received += message.region.count();
      }
      ASSERT_EQ(sent, stage.before.box(rank).count());
      ASSERT_EQ(received, stage.after.box(rank).count());
    }
  }
}

}  // namespace
}  // namespace weft
