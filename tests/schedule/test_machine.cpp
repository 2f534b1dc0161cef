#include "schedule/machine.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Machine, OfNoFileHasTheseFigures) {
  const Machine machine;
  EXPECT_EQ(machine.memory_bandwidth, 8e9);
  EXPECT_EQ(machine.exchange_bandwidth, 2e9);
  EXPECT_EQ(machine.message_latency, 2e-6);
  EXPECT_EQ(machine.flops, 4e9);
}

TEST(Machine, RedistributesInLatencyPlusTransferPlusPackingOnBothSides) {
  const Machine machine{
      .memory_bandwidth = 10, .exchange_bandwidth = 4, .message_latency = 3, .flops = 1};
  EXPECT_NEAR(redistribution_seconds(20, 5, machine), 5 * 3 + 20 / 4. + 4 * 20 / 10., relative);
  const Machine usual;
  EXPECT_NEAR(redistribution_seconds(1e6, 3, usual), 6e-6 + 5e-4 + 5e-4, relative * 1e-3);
}

TEST(Machine, PredictsARedistributionFromTheBytesOfTheBusiestRank) {
  const RedistributeStage stage{slabs(0), slabs(1), {}, natural_order(2)};
  const Machine usual;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const double bytes = 80. * static_cast<double>(element_bytes(true, precision));
    EXPECT_EQ(predicted_seconds(stage, precision, usual), redistribution_seconds(bytes, 4, usual));
  }
}

TEST(Machine, PredictsATransformFromItsOperationsAndTheBytesThatItReadsAndWrites) {
  LocalStage stage;
  stage.before = stage.after = slabs(0);
  stage.axes = {1};
  const Machine machine{
      .memory_bandwidth = 32, .exchange_bandwidth = 1, .message_latency = 1, .flops = 5};
  // 5 n log2 n operations for each of four lines, and 16 bytes for each number read or written
  const double operations = 5 * 80 * std::log2(20.), bytes = 2 * 80 * 16;
  EXPECT_NEAR(predicted_seconds(stage, Precision::f64, machine), operations / 5 + bytes / 32,
              relative * 1000);
}

}  // namespace
}  // namespace weft
