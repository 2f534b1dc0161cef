// What an exchange makes of MPI it frees again, whether it has run or not.
#include <gtest/gtest.h>

#include "exchange/packed_run.hpp"
#include "support/exchange_names.hpp"
#include "support/mpi_count.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::mpi_count;
using test::PackedRun;
using test::Random;

constexpr Index no_limit = 2147483647;

class Resources : public testing::TestWithParam<std::string> {
 protected:
  /// Makes an exchange, runs it so many times, and destroys it.
  void use(int runs, int trial) const {
    Random random(81 + static_cast<std::uint64_t>(trial));
    PackedRun exchange(GetParam(), comm_, random, no_limit, random.below(4));
    for (int run = 0; run < runs; ++run) {
      exchange.start();
      exchange.finish();
    }
  }

  const test::Watchdog watchdog_{120};
  const Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

TEST_P(Resources, AreAllFreed) {
  for (const int runs : {0, 1, 12}) {
    for (int trial = 0; trial < 5; ++trial) {
      test::reset_mpi_count();
      use(runs, trial);
      const test::MpiCount count = mpi_count();
      EXPECT_EQ(count.communicators_made, count.communicators_freed);
      EXPECT_EQ(count.types_made, count.types_freed);
      EXPECT_EQ(count.windows_made, count.windows_freed);
      // Libraries differ in the names of what makes requests of collectives, which is not counted.
      if (GetParam() == "persistent" && runs > 0) {
        EXPECT_GE(count.persistent_freed, count.persistent_made);
      } else {
        EXPECT_EQ(count.persistent_freed, count.persistent_made);
      }
    }
  }
}

TEST_P(Resources, AreMadeBeforeTheFirstStart) {
  Random random(82);
  PackedRun exchange(GetParam(), comm_, random, no_limit, 2);
  exchange.start();
  exchange.finish();
  test::reset_mpi_count();
  for (int run = 0; run < 10; ++run) {
    exchange.start();
    exchange.finish();
  }
  EXPECT_EQ(mpi_count().communicators_made, 0);
  EXPECT_EQ(mpi_count().types_made, 0);
  EXPECT_EQ(mpi_count().windows_made, 0);
}

std::vector<std::string> packed_exchanges() {
  std::vector<std::string> names = test::plan_exchanges();
  std::erase(names, "alltoallw");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Resources, testing::ValuesIn(packed_exchanges()),
                         [](const auto& info) { return test::as_test_name(info.param); });

}  // namespace
}  // namespace weft
