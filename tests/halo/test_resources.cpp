// An operation allocates nothing and makes nothing in MPI, and what a halo makes is freed again.
#include <gtest/gtest.h>

#include "halo/halo_array.hpp"
#include "halo/random_halo.hpp"
#include "support/heap_count.hpp"
#include "support/mpi_count.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

class HaloResources : public testing::Test {
 private:
  const test::Watchdog watchdog_{120};
};

/// Calls `work` and expects it to make nothing.
template <class Work>
void expect_nothing_made(const Work& work, const std::string& what) {
  test::reset_heap_count();
  test::reset_mpi_count();
  work();
  const test::HeapCount heap = test::heap_count();
  const test::MpiCount mpi = test::mpi_count();
  EXPECT_EQ(heap.allocations, 0) << what;
  EXPECT_EQ(mpi.communicators_made + mpi.types_made + mpi.windows_made, 0) << what;
}

TEST_F(HaloResources, OperationsMakeNothing) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const test::RandomHalo random = test::random_halo(5000 + seed, MPI_COMM_WORLD);
    Halo halo(MPI_COMM_WORLD, random.problem);
    test::HaloArray array(halo, random.problem);
    for (int run = 0; run < 3; ++run) {
      expect_nothing_made([&] { test::exchange(halo, array); }, random.text);
      expect_nothing_made([&] { test::accumulate(halo, array); }, random.text);
      expect_nothing_made(
          [&] {
            test::start_exchange(halo, array);
            while (!halo.test()) continue;
          },
          random.text);
    }
  }
}

TEST_F(HaloResources, RequestsAreMadeOnce) {
  Halo halo(MPI_COMM_WORLD, {.shape = {20, 20},
                             .layout = slab_split(0).with_halo({1, 1}, {1, 1}),
                             .periodic = {true, true}});
  std::vector<double> first(static_cast<std::size_t>(halo.array().allocation_size)), second(first);
  halo.exchange(first);
  halo.accumulate(first);
  test::reset_mpi_count();
  for (int run = 0; run < 5; ++run) {
    halo.exchange(second);
    halo.accumulate(second);
    halo.exchange(first);
  }
  EXPECT_EQ(test::mpi_count().persistent_made, 0);
}

TEST_F(HaloResources, EverythingIsFreedAgain) {
  test::reset_mpi_count();
  {
    const HaloProblem problem{
        .shape = {20, 20}, .layout = brick().with_halo({1, 1}, {1, 1}), .periodic = {true, true}};
    Halo halo(MPI_COMM_WORLD, problem), moved(std::move(halo));
    std::vector<double> data(static_cast<std::size_t>(moved.array().allocation_size));
    moved.exchange(data);
    moved.start_accumulate(data);
    EXPECT_THROW(Halo(MPI_COMM_WORLD, {.shape = {0}}), Error);
  }
  const test::MpiCount mpi = test::mpi_count();
  EXPECT_EQ(mpi.communicators_made, 3);
  EXPECT_EQ(mpi.communicators_freed, mpi.communicators_made);
  EXPECT_EQ(mpi.types_freed, mpi.types_made);
  EXPECT_EQ(mpi.persistent_freed, mpi.persistent_made);
  EXPECT_EQ(mpi.persistent_made > 0, test::world_size() > 1);
}

}  // namespace
}  // namespace weft
