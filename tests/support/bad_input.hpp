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
    Plan plan({.shape = {6, 5, 4}, .comm = MPI_COMM_WORLD, .kinds = r2c, .out = slab(1)});
    EXPECT_LE(run_error(plan, Direction::forward), error_bound(plan));
    EXPECT_LE(run_error(plan, Direction::backward), error_bound(plan));
  }

  /// A problem that is fine until a test spoils it.
  static MpiProblem good_problem() {
    return {.shape = {9, 8}, .comm = MPI_COMM_WORLD, .in = slab(0), .out = slab(1)};
  }

  /// Expects the making of a plan to fail with the same text on all ranks.
  static void expect_refused(const MpiProblem& problem, const std::vector<std::string>& parts,
                             const Options& options = {}) {
    expect_same_error([&] { Plan plan(problem, options); }, parts);
  }

 private:
  const Watchdog watchdog_;
};

}  // namespace weft::test
