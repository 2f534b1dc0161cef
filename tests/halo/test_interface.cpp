// What a user sees of a halo: the memory of a plan, ranges, moving, several at a time.
#include <gtest/gtest.h>

#include <span>

#include "halo/halo_array.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::expect_same_error;
using test::HaloArray;
using test::world_size;

const Extents shape{10, 9, 8};

class HaloInterface : public testing::Test {
 protected:
  static HaloProblem bricks() {
    return {.shape = shape,
            .layout = brick().with_order({2, 0, 1}).with_halo({1, 2, 1}, {2, 1, 1}),
            .periodic = {true, false, true}};
  }

  static double value(const Extents& place) {
    return static_cast<double>(100 * place[0] + 10 * place[1] + place[2]);
  }
  /// The owned points of an array, all else NaN.
  static HaloArray owned_points(const Halo& halo, const HaloProblem& problem) {
    HaloArray array(halo, problem);
    array.for_each_point([&](const Extents& point, bool owned, const Extents& place) {
      if (owned) array.set(point, 0, value(place));
    });
    return array;
  }
  static void expect_filled(const HaloArray& array) {
    array.for_each_point([&](const Extents& point, bool, const Extents& place) {
      EXPECT_EQ(array.get(point, 0).real(), value(place)) << to_string(point);
    });
  }
  static void expect_works(Halo& halo, const HaloProblem& problem) {
    HaloArray array = owned_points(halo, problem);
    test::exchange(halo, array);
    expect_filled(array);
  }

 private:
  const test::Watchdog watchdog_;
};

TEST_F(HaloInterface, HasTheMemoryOfAPlanWithTheSameLayout) {
  for (const LayoutSpec& layout : {slab_split(1), pencil_along(0).with_halo({0, 1, 2}, {1, 1, 0}),
                                   brick().with_split(Split::block).with_order({1, 2, 0})}) {
    for (const Index batch : {1, 3}) {
      const Plan plan(MPI_COMM_WORLD,
                      {.shape = shape, .input = layout, .output = slab_split(0), .batch = batch});
      const Halo halo(
          MPI_COMM_WORLD,
          {.shape = shape, .layout = layout, .type = plan.input().type, .batch = batch});
      EXPECT_EQ(halo.array().box, plan.input().box);
      EXPECT_EQ(halo.array().strides, plan.input().strides);
      EXPECT_EQ(halo.array().offset, plan.input().offset);
      EXPECT_EQ(halo.array().allocation_size, plan.input().allocation_size);
      EXPECT_EQ(halo.array().type, plan.input().type);
    }
  }
}

TEST_F(HaloInterface, WidthsAreThoseOfTheLayoutByDefault) {
  const Halo halo(MPI_COMM_WORLD, bricks());
  EXPECT_EQ(halo.lower(), (Extents{1, 2, 1}));
  EXPECT_EQ(halo.upper(), (Extents{2, 1, 1}));
  HaloProblem problem = bricks();
  problem.upper = {0, 1, 0};
  EXPECT_EQ(Halo(MPI_COMM_WORLD, problem).lower(), (Extents{1, 2, 1}));
  EXPECT_EQ(Halo(MPI_COMM_WORLD, problem).upper(), (Extents{0, 1, 0}));
}

TEST_F(HaloInterface, ServesRealLinesPaddedForTheirHalfSpectra) {
  const LayoutSpec layout = slab_split(0).with_halo({2, 1, 0}, {1, 1, 0}).padded_for_r2c();
  const Plan plan(MPI_COMM_WORLD, {.shape = shape, .kinds = r2c, .input = layout});
  const HaloProblem problem{.shape = shape, .layout = layout, .periodic = {true, true, true}};
  Halo halo(MPI_COMM_WORLD, problem);
  EXPECT_EQ(halo.array().strides, plan.input().strides);
  EXPECT_EQ(halo.array().allocation_size, plan.input().allocation_size);
  expect_works(halo, problem);
}

TEST_F(HaloInterface, ServesAnyArrayOfAPlanByItsStrides) {
  const Plan plan(MPI_COMM_WORLD, {.shape = shape,
                                   .input = slab_split(0),
                                   .output = pencil_along(0).with_order({2, 1, 0}).with_halo(
                                       {1, 1, 0}, {1, 1, 1})});
  const LocalArray& out = plan.output();
  const HaloProblem problem{.shape = shape,
                            .layout = box(out.box).with_strides(out.strides),
                            .lower = {1, 1, 0},
                            .upper = {0, 1, 1},
                            .periodic = {false, true, true},
                            .type = out.type};
  Halo halo(MPI_COMM_WORLD, problem);
  EXPECT_EQ(halo.array().box, out.box);
  EXPECT_LE(halo.array().allocation_size + out.offset, out.allocation_size);
  expect_works(halo, problem);
}

TEST_F(HaloInterface, TakesRangesAndPointers) {
  const HaloProblem problem = bricks();
  Halo halo(MPI_COMM_WORLD, problem);
  std::vector<double> vector(static_cast<std::size_t>(halo.array().allocation_size), 1.0);
  const std::span<double> span(vector);
  halo.exchange(vector);
  halo.exchange(span);
  halo.exchange(vector.data());
  halo.start_accumulate(span.first(vector.size()));
  halo.wait();
  halo.accumulate(vector);
}

TEST_F(HaloInterface, IsMoved) {
  const HaloProblem problem = bricks();
  Halo first(MPI_COMM_WORLD, problem);
  Halo second(std::move(first));
  expect_works(second, problem);
  HaloArray array = owned_points(second, problem);
  test::start_exchange(second, array);
  Halo third(MPI_COMM_WORLD, {.shape = {3}});
  third = std::move(second);
  third.wait();
  expect_filled(array);
}

TEST_F(HaloInterface, SeveralAreUnderWayAtATime) {
  const HaloProblem problem = bricks();
  std::vector<Halo> halos;
  std::vector<HaloArray> arrays;
  for (int i = 0; i < 4; ++i) {
    halos.emplace_back(MPI_COMM_WORLD, problem);
    arrays.push_back(owned_points(halos.back(), problem));
  }
  for (std::size_t i = 0; i < 4; ++i) test::start_exchange(halos[i], arrays[i]);
  for (std::size_t i = 4; i-- > 0;) halos[i].wait();
  for (const HaloArray& array : arrays) expect_filled(array);
}

TEST_F(HaloInterface, ExchangesAndSumsTakeTurns) {
  const HaloProblem problem = bricks();
  Halo halo(MPI_COMM_WORLD, problem);
  for (int i = 0; i < 20; ++i) {
    expect_works(halo, problem);
    HaloArray ones(halo, problem);
    ones.for_each_point([&](const Extents& point, bool, const Extents&) { ones.set(point, 0, 1); });
    test::accumulate(halo, ones);
  }
}

TEST_F(HaloInterface, WithoutAStartThereIsNothingToTestOrToWaitFor) {
  const HaloProblem problem = bricks();
  Halo halo(MPI_COMM_WORLD, problem);
  const auto expect_nothing = [&] {
    expect_same_error([&] { halo.test(); }, {"test: nothing was started"});
    expect_same_error([&] { halo.wait(); }, {"wait: nothing was started"});
  };
  expect_nothing();
  HaloArray array = owned_points(halo, problem);
  test::start_exchange(halo, array);
  while (!halo.test()) continue;
  EXPECT_TRUE(halo.test());
  halo.wait();
  expect_filled(array);
  expect_nothing();
}

TEST_F(HaloInterface, IsDestroyedWhileUnderWay) {
  const HaloProblem problem = bricks();
  for (int i = 0; i < 3; ++i) {
    Halo halo(MPI_COMM_WORLD, problem);
    HaloArray array = owned_points(halo, problem);
    test::start_exchange(halo, array);
  }
  Halo halo(MPI_COMM_WORLD, problem);
  expect_works(halo, problem);
}

TEST_F(HaloInterface, SendsOneMessageToEachNeighbor) {
  const Index length = 4 * world_size();
  Halo slabs(MPI_COMM_WORLD, {.shape = {length, 6},
                              .layout = slab_split(0).with_halo({2, 1}, {1, 1}),
                              .periodic = {true, true}});
  EXPECT_EQ(slabs.peers(), std::min(world_size() - 1, 2));
  // Three rows of six points, and the columns beyond both ends of them.
  EXPECT_EQ(slabs.bytes_sent(), world_size() == 1 ? 0 : 3 * 8 * 8);
  const Halo columns(MPI_COMM_WORLD, {.shape = {length, 6}, .layout = slab_split(0)});
  EXPECT_EQ(columns.peers(), 0);
  EXPECT_EQ(columns.bytes_sent(), 0);
}

}  // namespace
}  // namespace weft
