#pragma once

#include <gtest/gtest.h>

#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft::test {

/// Tests of errors, on 3 ranks. After each of them a plan on the same communicator has to work: no
/// rank was left behind, and nothing stayed in the way.
class BadInput : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(world_size(), 3) << "these tests are written for 3 ranks"; }
  void TearDown() override {
    Plan plan(MPI_COMM_WORLD, {.shape = {6, 5, 4}, .kinds = r2c, .output = slab_split(1)});
    EXPECT_LE(run_error(plan, Direction::forward), error_bound(plan));
    EXPECT_LE(run_error(plan, Direction::backward), error_bound(plan));
  }

  /// A problem that is fine until a test spoils it.
  static Problem good_problem() {
    return {.shape = {9, 8}, .input = slab_split(0), .output = slab_split(1)};
  }

  /// Expects the making of a plan to fail with the same text on all ranks.
  static void expect_refused(const Problem& problem, const std::vector<std::string>& parts,
                             const Options& options = {}) {
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, problem, options); }, parts);
  }

 private:
  const Watchdog watchdog_;
};

}  // namespace weft::test
