#include "schedule/machine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/error_text.hpp"

namespace weft {
namespace {

constexpr double relative = 1e-12;

// An array of 16 x 20 complex numbers on four ranks, from slabs along one axis to slabs along the
// other: 80 numbers on each rank, in as many messages as there are ranks.
ArrayState slabs(int axis) {
  auto grid = Axes<GridAxis>::filled(2, {});
  grid[axis].parts = 4;
  return {{16, 20}, true, {Distribution::by_grid(grid, 4), natural_order(2)}};
}

Group everybody() {
  return {};
}

TEST(Machine, OfNoFileHasTheseFigures) {
  Machine machine;
  EXPECT_EQ(machine.memory_bandwidth, 8e9);
  EXPECT_EQ(machine.flops, 4e9);
  EXPECT_EQ(machine.node.bandwidth, 2e9);
  EXPECT_EQ(machine.node.latency, 2e-6);
  EXPECT_EQ(machine.network.bandwidth, 12.5e9);
  EXPECT_EQ(machine.network.latency, 2e-6);
  EXPECT_EQ(machine.island_nodes, 1e9);
  EXPECT_EQ(machine.taper, 1);
  EXPECT_EQ(machine.memory_reach, 1e18);
  EXPECT_EQ(machine.memory_taper, 1);
  EXPECT_EQ(machine.cache_bytes, 1);
  EXPECT_EQ(machine.cache_bandwidth, 8e9);
  EXPECT_GT(machine.ranks_per_node, Index{1} << 40);
  for (const auto& [name, value] : figures(machine)) *value = 7;
  EXPECT_EQ(machine.memory_bandwidth + machine.flops + machine.node.bandwidth +
                machine.node.latency + machine.network.bandwidth + machine.network.latency +
                machine.island_nodes + machine.taper + machine.memory_reach + machine.memory_taper +
                machine.cache_bytes + machine.cache_bandwidth,
            12 * 7);
}

TEST(Machine, FiguresAreSetOrMultiplied) {
  Machine machine;
  set_figure(machine, "network.bandwidth", "4x");
  set_figure(machine, "flops", "5e9");
  EXPECT_EQ(machine.network.bandwidth, 4 * Machine{}.network.bandwidth);
  EXPECT_EQ(machine.flops, 5e9);
  for (const char* value : {"", "0", "-1", "x", "1e999", "2y", "nan", "2 3", "2xx"}) {
    EXPECT_EQ(test::error_text([&] { set_figure(machine, "flops", value); }),
              "figure flops '" + std::string(value) +
                  "': give a positive number or a factor, such as flops=2e9 or flops=4x");
  }
  const std::string unknown = test::error_text([&] { set_figure(machine, "flop", "1"); });
  EXPECT_NE(unknown.find("did you mean 'flops'"), std::string::npos) << unknown;
  EXPECT_EQ(machine.flops, 5e9);
}

TEST(Machine, SendsWhatDoesNotStayWithinNodesAndBetweenThem) {
  // Of 80 numbers a rank keeps 20 and sends 20 to each of the three others.
  const auto sent = [](Index ranks_per_node) {
    return traffic(slabs(0), slabs(1), everybody(), 16, {.ranks_per_node = ranks_per_node});
  };
  EXPECT_NEAR(sent(4).node_bytes, 60 * 16, relative * 1000);
  EXPECT_NEAR(sent(4).node_messages, 3, relative);
  EXPECT_EQ(sent(4).network_bytes + sent(4).network_messages, 0);
  EXPECT_NEAR(sent(2).node_bytes, 20 * 16, relative * 1000);
  EXPECT_NEAR(sent(2).network_bytes, 40 * 16, relative * 1000);
  EXPECT_NEAR(sent(2).node_messages, 1, relative);
  EXPECT_NEAR(sent(2).network_messages, 2, relative);
  EXPECT_EQ(sent(1).node_bytes + sent(1).node_messages, 0);
  EXPECT_NEAR(sent(1).network_bytes, 60 * 16, relative * 1000);
}

TEST(Machine, KnowsWhichRanksOfAGroupShareANode) {
  // Pencils on a grid of 2 x 4: neighbors in rank differ in the second factor.
  const auto pencils = [](int first, int second) {
    auto grid = Axes<GridAxis>::filled(3, {});
    grid[first] = {2, 4, Split::balanced};
    grid[second] = {4, 1, Split::balanced};
    return ArrayState{{16, 16, 16}, true, {Distribution::by_grid(grid, 8), natural_order(3)}};
  };
  const auto sent = [&](const ArrayState& before, const ArrayState& after, Index ranks_per_node) {
    const Group group = common_group(before.layout.distribution, after.layout.distribution, 8);
    return traffic(before, after, group, 16, {.ranks_per_node = ranks_per_node});
  };
  const Traffic rows = sent(pencils(0, 1), pencils(0, 2), 4);  // four neighbors in rank
  EXPECT_NEAR(rows.node_messages, 3, relative);
  EXPECT_EQ(rows.network_bytes, 0);
  const Traffic columns = sent(pencils(0, 1), pencils(2, 1), 4);  // ranks 0 and 4
  EXPECT_NEAR(columns.network_messages, 1, relative);
  EXPECT_NEAR(columns.network_bytes, 256 * 16, relative * 1e4);
  EXPECT_EQ(columns.node_bytes, 0);
  EXPECT_NEAR(sent(pencils(0, 1), pencils(0, 2), 2).node_messages, 1, relative);
}

TEST(Machine, CountsWhatListedBoxesSend) {
  std::vector<Box> boxes;
  for (Index i = 0; i < 4; ++i) boxes.push_back({{0, 5 * i}, {16, 5 * i + 5}});
  ArrayState listed = slabs(1);
  listed.layout.distribution = Distribution::by_boxes(boxes);
  const Traffic sent = traffic(slabs(0), listed, everybody(), 16, {.ranks_per_node = 2});
  EXPECT_NEAR(sent.network_bytes, 40 * 16, relative * 1000);
  EXPECT_NEAR(sent.node_messages + sent.network_messages, 3, relative);
}

TEST(Machine, LevelsWorkAtATimeAndNodesShareTheirLink) {
  const Machine machine{.node = {4, 3}, .network = {10, 7}, .ranks_per_node = 5};
  EXPECT_NEAR(seconds({20, 0, 2, 0}, machine), 20 / 4. + 2 * 3, relative);
  EXPECT_NEAR(seconds({0, 20, 0, 2}, machine), 20 * 5 / 10. + 2 * 7, relative);
  EXPECT_NEAR(seconds({20, 20, 1, 1}, machine), 20 * 5 / 10. + 3 + 7, relative);
  EXPECT_NEAR(seconds({60, 20, 0, 0}, machine), 60 / 4., relative);
  EXPECT_EQ(sent_per_second(machine, 5), 4);
  EXPECT_EQ(sent_per_second(machine, 6), 10 / 5.);
}

TEST(Machine, BytesToNodesBeyondAnIslandTakeLonger) {
  Machine machine{
      .node = {1e9, 0}, .network = {10, 0}, .island_nodes = 3, .taper = 5, .ranks_per_node = 1};
  const auto taken = [&] {
    const Traffic sent = traffic(slabs(0), slabs(1), everybody(), 16, machine);
    return seconds(sent, machine);
  };
  const double bytes = 60 * 16;
  EXPECT_NEAR(taken(), bytes / 10 * (3 / 4. + 5 / 4.), relative * 1000);  // one node of four
  machine.island_nodes = 4;
  EXPECT_NEAR(taken(), bytes / 10, relative * 1000);
  machine.ranks_per_node = 2;  // two nodes
  machine.island_nodes = 1;
  EXPECT_NEAR(taken(), 40 * 16 * 2 / 10. * (1 / 2. + 5 / 2.), relative * 1000);
}

TEST(Machine, TheLinkOfANodeCarriesWhatItsRanksHaveOnAverage) {
  // 5 rows on four ranks: 2, 1, 1, 1. The busiest rank takes its two rows through the node, but
  // the node has three.
  const auto uneven = [](int axis) {
    ArrayState state = slabs(axis);
    state.shape = {5, 20};
    return state;
  };
  const auto sent = [&](Index ranks_per_node) {
    return traffic(uneven(0), uneven(1), everybody(), 16, {.ranks_per_node = ranks_per_node});
  };
  const double stays = 10 / 40.;  // of rank 0: 2 x 5 of 2 x 20 points
  EXPECT_NEAR(sent(4).node_bytes, 40 * 16 * (1 - stays), relative * 1000);
  EXPECT_NEAR(sent(2).network_bytes, 30 * 16 * (1 - stays) * 2 / 3, relative * 1000);
  EXPECT_NEAR(sent(1).network_bytes, 40 * 16 * (1 - stays), relative * 1000);
}

RedistributeStage transpose() {
  return {slabs(0), slabs(1), {}, natural_order(2), {}};
}

TEST(Machine, PredictsARedistributionFromTheBytesOfTheBusiestRank) {
  const Machine usual;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const double bytes = 60. * static_cast<double>(element_bytes(true, precision));
    EXPECT_NEAR(predicted_seconds(transpose(), precision, usual),
                bytes / usual.node.bandwidth + 3 * usual.node.latency, relative);
  }
}

LocalStage transform(double* operations) {
  LocalStage stage;
  stage.before = stage.after = slabs(0);
  stage.axes = {1};
  *operations = 5 * 80 * std::log2(20.);  // 5 n log2 n for each of four lines
  return stage;
}

TEST(Machine, PredictsATransformFromItsOperationsAndTheBytesThatItReadsAndWrites) {
  double operations = 0;
  LocalStage stage = transform(&operations);
  const double bytes = 2 * 80 * 16;
  const Machine machine{.memory_bandwidth = 32, .flops = 5, .prime_flops = 0.5};
  const double slower = 1.3;  // than powers of two: 20 points
  EXPECT_NEAR(predicted_seconds(stage, Precision::f64, machine),
              operations / 5 * slower + bytes / 32, relative * 1000);
  EXPECT_NEAR(predicted_seconds(stage, Precision::f32, machine),
              operations / 10 * slower + bytes / 64, relative * 1000);
  stage.before.shape = stage.after.shape = {16, 19};
  stage.axes = {0};
  const auto local_operations = [&](double n) {
    const double points =
        static_cast<double>(stage.after.layout.distribution.largest_count(stage.after.shape));
    return 5 * points * std::log2(n);
  };
  const double moved =
      2 * 16 *
      static_cast<double>(stage.after.layout.distribution.largest_count(stage.after.shape));
  EXPECT_NEAR(predicted_seconds(stage, Precision::f64, machine),
              local_operations(16) / 5 + moved / 32, relative * 1000);
  stage.axes = {1};  // a prime number
  EXPECT_NEAR(predicted_seconds(stage, Precision::f64, machine),
              local_operations(19) / 0.5 + moved / 32, relative * 1000);
  Machine tapered = machine;
  tapered.memory_reach = moved / 4;
  tapered.memory_taper = 3;
  EXPECT_NEAR(predicted_seconds(stage, Precision::f64, tapered),
              local_operations(19) / 0.5 + moved / 32 * (1 + 3 * 3) / 4, relative * 1000);
  Machine cached = tapered;
  cached.cache_bytes = moved;
  cached.cache_bandwidth = 128;
  EXPECT_NEAR(predicted_seconds(stage, Precision::f64, cached),
              local_operations(19) / 0.5 + moved / 128, relative * 1000);
  cached.cache_bytes = moved - 1;
  EXPECT_EQ(predicted_seconds(stage, Precision::f64, cached),
            predicted_seconds(stage, Precision::f64, tapered));
}

TEST(Machine, PacksAndUnpacksWhereNothingIsTransformed) {
  const Machine machine{.memory_bandwidth = 10, .node = {4, 0}};
  const double pass = 2 * 80 * 16 / 10., move = 60 * 16 / 4.;
  Schedule schedule;
  schedule.stages = {transpose()};
  EXPECT_NEAR(predicted_seconds(schedule, Precision::f64, machine), 2 * pass + move,
              relative * 1000);
  double operations = 0;
  LocalStage local = transform(&operations);
  schedule.stages = {local, transpose()};
  const double arithmetic = predicted_seconds(Stage(local), Precision::f64, machine);
  EXPECT_NEAR(predicted_seconds(schedule, Precision::f64, machine), arithmetic + move + pass,
              relative * 1000);
}

TEST(Machine, ChunksHideWhatIsUnderWayWhilePassesWork) {
  const Machine machine{.memory_bandwidth = 10, .node = {4, 0}};
  const double pass = 2 * 80 * 16 / 10., move = 60 * 16 / 4.;
  RedistributeStage chunked = transpose();
  chunked.before.shape = chunked.after.shape = {16, 20, 4};
  for (ArrayState* state : {&chunked.before, &chunked.after}) {
    auto grid = Axes<GridAxis>::filled(3, {});
    grid[state == &chunked.before ? 0 : 1].parts = 4;
    state->layout = {Distribution::by_grid(grid, 4), natural_order(3)};
  }
  chunked.order = natural_order(3);
  chunked.chunking.sender = chunked.chunking.receiver = {2, 4, 1};
  ASSERT_EQ(chunked.chunks().size(), 4u);
  Schedule schedule;
  schedule.stages = {chunked};
  // Passes take longer than the exchange: three of its four chunks are hidden.
  ASSERT_GT(2 * pass, move);
  EXPECT_NEAR(predicted_seconds(schedule, Precision::f64, machine),
              4 * (2 * pass + move) - 4 * move * 3 / 4, relative * 1e4);
  const Machine slow{.memory_bandwidth = 10, .node = {0.4, 0}};
  EXPECT_NEAR(predicted_seconds(schedule, Precision::f64, slow),
              4 * (2 * pass + 10 * move) - 4 * 2 * pass * 3 / 4, relative * 1e5);
}

}  // namespace
}  // namespace weft
