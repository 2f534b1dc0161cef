// Boxes and grids of the interface of heFFTe, and what it says of wrong ones.
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "random_boxes.hpp"

namespace {

using heffte::box3d;
using Grid = std::array<int, 3>;

TEST(HeffteBoxes, EndsAreIncluded) {
  const box3d<> box({1, 2, 3}, {4, 4, 3}, {2, 0, 1});
  EXPECT_EQ(box.size, (Grid{4, 3, 1}));
  EXPECT_EQ(box.count(), 12);
  EXPECT_TRUE(box.is2d());
  EXPECT_EQ(box.osize(0), 1);
  EXPECT_EQ(box.osize(1), 4);
  EXPECT_EQ(box.find_order(2), 0);
  EXPECT_EQ(box.find_order(1), 2);
  EXPECT_EQ(box.r2c(0), box3d<>({1, 2, 3}, {3, 4, 3}));
  EXPECT_EQ(box.r2c(1), box3d<>({1, 2, 3}, {4, 3, 3}));
  EXPECT_EQ(box.r2c(2), box);
  EXPECT_FALSE(box.ordered_same_as(box3d<>({1, 2, 3}, {4, 4, 3})));
  EXPECT_EQ(box.collide(box3d<>({3, 0, 0}, {9, 2, 9})), box3d<>({3, 2, 3}, {4, 2, 3}));
  EXPECT_TRUE(box.collide(box3d<>({5, 0, 0}, {9, 9, 9})).empty());
  const box3d<> none({0, 0, 0}, {-1, 5, 5});
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.count(), 0);
  EXPECT_TRUE(none.collide(box).empty());
  EXPECT_TRUE(none.r2c(1).empty());
  const heffte::box2d<long long> flat(std::array<long long, 2>{0, 0},
                                      std::array<long long, 2>{99999, 99999});
  EXPECT_EQ(flat.count(), 10000000000);
  std::ostringstream text;
  text << box;
  EXPECT_EQ(text.str(), "1  4  (4)\n2  4  (3)\n3  3  (1)\n(2,0,1)\n\n");
}

TEST(HeffteBoxes, WorldsAreCutWithTheFirstDimensionFirst) {
  const box3d<> world({0, 0, 0}, {9, 4, 6}, {1, 0, 2});
  const auto boxes = heffte::split_world(world, {3, 1, 2});
  ASSERT_EQ(boxes.size(), 6);
  EXPECT_EQ(boxes[0], box3d<>({0, 0, 0}, {3, 4, 3}));
  EXPECT_EQ(boxes[1], box3d<>({4, 0, 0}, {6, 4, 3}));
  EXPECT_EQ(boxes[5], box3d<>({7, 0, 4}, {9, 4, 6}));
  EXPECT_TRUE(boxes[5].ordered_same_as(world));
  EXPECT_EQ(heffte::find_world(boxes), world);
  EXPECT_TRUE(heffte::world_complete(boxes, world));
  EXPECT_TRUE(heffte::is_pencils(world, boxes, 1));
  EXPECT_FALSE(heffte::is_pencils(world, boxes, 2));
  EXPECT_TRUE(heffte::is_slab(world, heffte::split_world(world, {1, 1, 5}), 0, 1));
  EXPECT_FALSE(heffte::is_slab(world, boxes, 0, 1));
  const auto reordered = heffte::reorder(boxes, {2, 1, 0});
  EXPECT_TRUE(heffte::match(boxes, reordered));
  EXPECT_EQ(reordered[3].order, (Grid{2, 1, 0}));
  EXPECT_FALSE(heffte::match(boxes, heffte::split_world(world, {1, 3, 2})));

  auto fewer = boxes;
  fewer.pop_back();
  EXPECT_THROW(heffte::world_complete(fewer, world), std::invalid_argument);
  auto more = boxes;
  more.push_back(boxes[0]);
  EXPECT_THROW(heffte::world_complete(more, world), std::invalid_argument);
  const box3d<> elsewhere({1, 0, 0}, {3, 3, 3});
  EXPECT_THROW(heffte::world_complete({elsewhere}, elsewhere), std::invalid_argument);
}

TEST(HeffteBoxes, GridsOfRanks) {
  using Pair = std::array<int, 2>;
  EXPECT_EQ(heffte::make_procgrid(12), (Pair{3, 4}));
  EXPECT_EQ(heffte::make_procgrid(7), (Pair{1, 7}));
  EXPECT_EQ(heffte::get_factors(6), (std::vector<Pair>{{1, 6}, {2, 3}, {3, 2}, {6, 1}}));
  const box3d<> cube({0, 0, 0}, {63, 63, 63});
  EXPECT_EQ(heffte::proc_setup_min_surface(cube, 1), (Grid{1, 1, 1}));
  EXPECT_EQ(heffte::proc_setup_min_surface(cube, 2), (Grid{1, 1, 2}));
  EXPECT_EQ(heffte::proc_setup_min_surface(cube, 8), (Grid{2, 2, 2}));
  EXPECT_EQ(heffte::proc_setup_min_surface(cube, 12), (Grid{2, 2, 3}));
  EXPECT_EQ(heffte::proc_setup_min_surface(box3d<>({0, 0, 0}, {255, 15, 15}), 6), (Grid{6, 1, 1}));
}

TEST(HeffteBoxes, NamesAndOptions) {
  using namespace heffte;
  EXPECT_EQ(backend::name<backend::fftw>(), "fftw");
  EXPECT_EQ(backend::name<backend::fftw_sin1>(), "fftw-sin-type-I");
  EXPECT_TRUE(backend::is_enabled<backend::stock>::value);
  EXPECT_FALSE(backend::is_enabled<backend::cufft>::value);
  plan_options options = default_options<backend::fftw>();
  EXPECT_TRUE(options.use_reorder && options.use_pencils);
  EXPECT_EQ(options.get_subranks(), -1);
  options.algorithm = reshape_algorithm::p2p_plined;
  options.use_num_subranks(2);
  std::ostringstream text;
  text << options;
  EXPECT_EQ(text.str(),
            "options = (fft1d:contiguous, mpi:point-to-point-pipelined, decomposition:pencil, "
            "mpi:from-gpu)");
}

// heFFTe itself checks these only where assertions are on.
#if EMPTY_BOXES
TEST(HeffteBoxes, AllRanksHearOfBoxesThatDoNotFit) {
  const box3d<> world({0, 0, 0}, {7, 7, 7});
  const box3d<> mine = heffte::split_world(world, {1, 1, ranks()})[rank()];
  using Fft = heffte::fft3d<heffte::backend::fftw>;
  using FftR2c = heffte::fft3d_r2c<heffte::backend::fftw>;
  const box3d<> shifted({1, 0, mine.low[2]}, {8, 7, mine.high[2]});
  EXPECT_THROW(Fft(shifted, mine, MPI_COMM_WORLD), std::invalid_argument);
  const box3d<> shorter({0, 0, mine.low[2]}, {6, 7, mine.high[2]});
  EXPECT_THROW(Fft(mine, shorter, MPI_COMM_WORLD), std::invalid_argument);
  EXPECT_THROW(FftR2c(mine, mine, 0, MPI_COMM_WORLD), std::invalid_argument);
  EXPECT_THROW(FftR2c(mine, mine.r2c(0), 3, MPI_COMM_WORLD), std::invalid_argument);
  EXPECT_THROW(FftR2c(mine, mine.r2c(0), 1, MPI_COMM_WORLD), std::invalid_argument);
  if (ranks() > 1) {
    EXPECT_THROW(Fft(world, mine, MPI_COMM_WORLD), std::invalid_argument);
    const box3d<> hole = rank() == 0 ? box3d<>({0, 0, 0}, {-1, -1, -1}) : mine;
    EXPECT_THROW(Fft(hole, mine, MPI_COMM_WORLD), std::invalid_argument);
    const std::array<int, 3> order = {rank() == 0 ? 1 : 0, rank() == 0 ? 0 : 1, 2};
    EXPECT_THROW(Fft(box3d<>(mine.low, mine.high, order), mine, MPI_COMM_WORLD),
                 std::invalid_argument);
  }
  if (ranks() == 3) {  // as many points as the world has, but some of them twice
    const int first = std::array<int, 3>{0, 1, 4}[rank()];
    const box3d<> twice({0, 0, first}, {3, 3, first + 1});
    const Fft fft(twice, twice, MPI_COMM_WORLD);
    std::vector<std::complex<double>> data(32);
    EXPECT_THROW(fft.forward(data.data(), data.data()), std::runtime_error);
  }
}
#endif

}  // namespace
