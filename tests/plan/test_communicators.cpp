// The user's communicator is honored, and what a plan makes of it is freed again.
#include <gtest/gtest.h>

#include <thread>

#include "exchange/exchange.hpp"
#include "support/exchange_names.hpp"
#include "support/mpi_count.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::world_rank;
using test::world_size;

/// The ranks [first, first + count) of the world; null elsewhere.
MPI_Comm some_ranks(int first, int count) {
  const bool member = world_rank() >= first && world_rank() < first + count;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, 0, &comm);
  return comm;
}

class CommunicatorTest : public testing::Test {
 private:
  const test::Watchdog watchdog_{120};
};

Problem bricks_to_pencils(const Kinds& kinds = r2c) {
  return {.shape = {9, 8, 7}, .kinds = kinds, .input = brick(), .output = pencil_along(0)};
}

double both_errors(Plan& plan) {
  return std::max(test::run_error(plan, Direction::forward, 3),
                  test::run_error(plan, Direction::backward, 4));
}

TEST_F(CommunicatorTest, PlansRunOnEveryNumberOfRanksWithinOneJob) {
  for (int count = 1; count <= world_size(); ++count) {
    for (int first = 0; first + count <= world_size(); first += 2) {
      MPI_Comm comm = some_ranks(first, count);
      if (comm == MPI_COMM_NULL) continue;
      {
        Plan plan(comm, bricks_to_pencils());
        int size = 0;
        MPI_Comm_size(plan.communicator(), &size);
        EXPECT_EQ(size, count);
        EXPECT_LE(both_errors(plan), test::error_bound(plan));
      }
      MPI_Comm_free(&comm);
    }
  }
}

TEST_F(CommunicatorTest, RanksCountInTheOrderOfTheCommunicator) {
  // A communicator that numbers the ranks backwards owns the boxes backwards.
  MPI_Comm backwards = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &backwards);
  {
    Plan plan(backwards, {.shape = {14, 3}, .input = slab_split(0), .output = slab_split(0)});
    int rank = 0;
    MPI_Comm_rank(backwards, &rank);
    EXPECT_EQ(rank, world_size() - 1 - world_rank());
    if (rank == 0) {
      EXPECT_EQ(plan.input().box.lower[0], 0);
    }
    if (rank == world_size() - 1) {
      EXPECT_EQ(plan.input().box.upper[0], 14);
    }
    EXPECT_LE(both_errors(plan), test::error_bound(plan));
  }
  MPI_Comm_free(&backwards);
}

TEST_F(CommunicatorTest, PlansOnOverlappingSetsLiveSideBySide) {
  // All ranks, the lower ones, the upper ones, and each alone; used and destroyed in any order.
  const int half = (world_size() + 1) / 2;
  MPI_Comm comms[] = {some_ranks(0, world_size()), some_ranks(0, half),
                      some_ranks(world_size() - half, half), some_ranks(world_rank(), 1)};
  for (int shift = 0; shift < 4; ++shift) {
    std::vector<std::unique_ptr<Plan>> plans;
    for (MPI_Comm comm : comms) {
      plans.push_back(comm == MPI_COMM_NULL ? nullptr
                                            : std::make_unique<Plan>(comm, bricks_to_pencils()));
    }
    for (int i = 0; i < 8; ++i) {
      Plan* const plan = plans[static_cast<std::size_t>((i * 3 + shift) % 4)].get();
      if (plan != nullptr) {
        EXPECT_LE(both_errors(*plan), test::error_bound(*plan));
      }
    }
    for (int i = 0; i < 4; ++i) plans[static_cast<std::size_t>((i + shift) % 4)].reset();
  }
  for (MPI_Comm& comm : comms) {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
}

TEST_F(CommunicatorTest, ThePlanOutlivesTheUsersCommunicator) {
  MPI_Comm comm = some_ranks(0, world_size());
  Plan plan(comm, bricks_to_pencils());
  MPI_Comm_free(&comm);
  EXPECT_LE(both_errors(plan), test::error_bound(plan));
}

TEST_F(CommunicatorTest, MessagesOfTheUserAreNotMixedUpWithThoseOfThePlan) {
  MPI_Comm comm = some_ranks(0, world_size());
  for (const std::string& exchange : test::plan_exchanges()) {
    Options options;
    options.exchange = exchange;
    Plan plan(comm, bricks_to_pencils(), options);
    // Posted before and completed after the plan runs, to any source with any tag.
    int sent = world_rank(), received = -1;
    MPI_Request requests[2];
    const int next = (world_rank() + 1) % world_size();
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
    EXPECT_LE(both_errors(plan), test::error_bound(plan));
    MPI_Isend(&sent, 1, MPI_INT, next, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT_EQ(received, (world_rank() + world_size() - 1) % world_size());
  }
  MPI_Comm_free(&comm);
}

TEST_F(CommunicatorTest, AllThatAPlanMakesIsFreed) {
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const Algorithm algorithm : {Algorithm::slab, Algorithm::pencil}) {
      Options options;
      options.exchange = exchange;
      options.algorithm = algorithm;
      options.mpi_count_limit = 5;
      test::reset_mpi_count();
      {
        Plan plan(MPI_COMM_WORLD, bricks_to_pencils(), options);
        // The duplicate, at most one for each redistribution, and one to count ranks of a node;
        // some exchanges make two of their own, both ways.
        const bool plain = exchange[0] != 'n' && exchange[0] != 'o';  // neighbor, one_sided, ...
        EXPECT_LE(test::mpi_count().communicators_made, 2 + 4 + (plain ? 0 : 2 * 2 * 4));
        Plan moved = std::move(plan);
        Plan other(MPI_COMM_WORLD, bricks_to_pencils(c2c), options);
        other = std::move(moved);
        EXPECT_LE(both_errors(other), test::error_bound(other));
      }
      const test::MpiCount count = test::mpi_count();
      EXPECT_EQ(count.communicators_made, count.communicators_freed) << exchange;
      EXPECT_EQ(count.types_made, count.types_freed) << exchange;
      EXPECT_EQ(count.windows_made, count.windows_freed) << exchange;
    }
  }
}

TEST_F(CommunicatorTest, AllThatLaddersChunksAndLanesMakeIsFreed) {
  for (const std::string& exchange : test::plan_exchanges()) {
    Options options;
    options.exchange = exchange;
    options.chunks = 2;
    options.fields_in_flight = 2;
    options.tolerance = 1e-5;
    test::reset_mpi_count();
    {
      Plan plan(MPI_COMM_WORLD,
                {.shape = {16, 14, 18}, .input = slab_split(0), .output = slab_split(1)}, options);
      EXPECT_LE(both_errors(plan), 1e-5);
    }
    const test::MpiCount count = test::mpi_count();
    EXPECT_EQ(count.communicators_made, count.communicators_freed) << exchange;
    EXPECT_EQ(count.types_made, count.types_freed) << exchange;
    EXPECT_EQ(count.windows_made, count.windows_freed) << exchange;
  }
}

TEST_F(CommunicatorTest, ARefusedPlanLeavesNothingBehind) {
  test::reset_mpi_count();
  Problem problem = bricks_to_pencils();
  problem.input = slab_split(7);
  EXPECT_NE(test::error_text([&] { Plan plan(MPI_COMM_WORLD, problem); }), "");
  Options options;
  options.grid = {world_size(), 2};
  EXPECT_NE(test::error_text([&] { Plan plan(MPI_COMM_WORLD, bricks_to_pencils(), options); }), "");
  const test::MpiCount count = test::mpi_count();
  EXPECT_GE(count.communicators_made, 2);
  EXPECT_EQ(count.communicators_made, count.communicators_freed);
  EXPECT_EQ(count.types_made, count.types_freed);
}

TEST_F(CommunicatorTest, StagesBetweenTheSameRanksShareACommunicator) {
  if (world_size() != 4 && world_size() != 6) return;
  Options options;
  options.algorithm = Algorithm::pencil;
  test::reset_mpi_count();
  // Three redistributions within rows, columns and rows of one grid.
  const Plan plan(MPI_COMM_WORLD,
                  {.shape = {16, 16, 16}, .input = pencil_along(2), .output = pencil_along(2)},
                  options);
  // The plan's own, two of the ranks of this node (to count them, and to share memory), and groups.
  EXPECT_LE(test::mpi_count().communicators_made, 1 + 2 + 3);
}

TEST_F(CommunicatorTest, SeveralThreadsMakeAndRunPlansOfTheirOwn) {
  int level = 0;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI offers no MPI_THREAD_MULTIPLE";
  for (const std::string& exchange : test::plan_exchanges()) {
    Options options;
    options.exchange = exchange;
    options.threads = 1;
    // Calls on one communicator have an order, so each thread has one of its own.
    MPI_Comm comms[2] = {some_ranks(0, world_size()), some_ranks(0, world_size())};
    const auto make = [&](int thread) {
      return std::make_unique<Plan>(comms[thread], bricks_to_pencils(thread == 0 ? r2c : c2c),
                                    options);
    };
    // Open MPI 4.1 hangs at times where two threads make windows.
    const ExchangeTraits& traits = find_exchange(exchange).method->traits;
    const bool has_window = traits.window != ExchangeTraits::none;
    double times_the_bound[2] = {9, 9};
    for (int making = 0; making < 3; ++making) {
      std::unique_ptr<Plan> plans[2];
      if (has_window) {
        for (int thread = 0; thread < 2; ++thread) plans[thread] = make(thread);
      }
      std::vector<std::thread> threads;
      for (int thread = 0; thread < 2; ++thread) {
        threads.emplace_back([&, thread] {
          if (!has_window) plans[thread] = make(thread);
          double worst = making > 0 ? times_the_bound[thread] : 0;
          for (int run = 0; run < 5; ++run) {
            worst =
                std::max(worst, both_errors(*plans[thread]) / test::error_bound(*plans[thread]));
          }
          times_the_bound[thread] = worst;
          if (!has_window) plans[thread].reset();
        });
      }
      for (std::thread& thread : threads) thread.join();
    }
    for (int thread = 0; thread < 2; ++thread) {
      EXPECT_LE(times_the_bound[thread], 1) << exchange;
      MPI_Comm_free(&comms[thread]);
    }
  }
}

}  // namespace
}  // namespace weft
