#include <gtest/gtest.h>

#include "exchange/agreement.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::expect_same_error;
using test::Watchdog;
using test::world_rank;
using test::world_size;

class Agreement : public testing::Test {
 protected:
  const Watchdog watchdog_;
  const Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

TEST_F(Agreement, NoErrorIsNoError) {
  EXPECT_NO_THROW(agree(comm_, std::nullopt));
  int runs = 0;
  EXPECT_NO_THROW(collectively(comm_, [&] { ++runs; }));
  EXPECT_EQ(runs, 1);
}

TEST_F(Agreement, AnErrorOfAnyRankReachesAll) {
  for (int failing = 0; failing < world_size(); ++failing) {
    const auto work = [&] {
      collectively(comm_, [&] {
        if (world_rank() == failing) throw Error("value 17 is odd");
      });
    };
    if (world_size() == 1) {
      expect_same_error(work, {"value 17 is odd"});
    } else {
      expect_same_error(work, {"rank " + std::to_string(failing) + ": value 17 is odd"});
    }
  }
}

TEST_F(Agreement, AnErrorOfAllRanksNamesNone) {
  const std::string text = test::error_text([&] { agree(comm_, Error("too large")); });
  EXPECT_EQ(text, "too large");
}

TEST_F(Agreement, TheCodeIsThatOfTheRankThatSpeaks) {
  const int last = world_size() - 1;
  const auto fails = [&](auto&& failure) {
    return [this, last, failure] {
      collectively(comm_, [&] {
        if (world_rank() == last) throw failure;
      });
    };
  };
  expect_same_error(fails(Error("no file", ErrorCode::file)), {"no file"}, ErrorCode::file);
  expect_same_error(fails(std::length_error("too long")), {"too long"}, ErrorCode::argument);
}

TEST_F(Agreement, TheLowestRankSpeaks) {
  expect_same_error([&] { agree(comm_, "from " + std::to_string(world_rank())); }, {"from 0"});
}

TEST_F(Agreement, OtherExceptionsBecomeErrorsToo) {
  expect_same_error(
      [&] {
        collectively(comm_, [&] {
          if (world_rank() == world_size() - 1) throw std::bad_alloc();
        });
      },
      {"out of memory"}, ErrorCode::memory);
}

TEST_F(Agreement, DifferentTextsAreShown) {
  EXPECT_NO_THROW(agree_same(comm_, "8x8", "shape"));
  if (world_size() == 1) return;
  const std::string mine = world_rank() + 1 == world_size() ? "8x9" : "8x8";
  expect_same_error([&] { agree_same(comm_, mine, "shape"); },
                    {"shape differs between ranks: 8x9, but on rank 0 8x8",
                     "rank " + std::to_string(world_size() - 1)});
  // Texts of different lengths, and an empty one.
  expect_same_error([&] { agree_same(comm_, world_rank() == 0 ? "" : "long text", "order"); },
                    {"long text"});
}

TEST_F(Agreement, CommunicatorsMustBeUsable) {
  expect_same_error([] { Communicator::duplicate(MPI_COMM_NULL); }, {"MPI_COMM_NULL"});
}

TEST_F(Agreement, FailedCallsOfMpiAreErrorsWithItsText) {
  int value = 0;
  // The duplicate returns errors instead of ending the job.
  const int code = MPI_Bcast(&value, 1, MPI_INT, world_size() + 5, comm_.get());
  EXPECT_NE(code, MPI_SUCCESS);
  const std::string text = test::error_text([&] { check_mpi(code, "MPI_Bcast"); });
  EXPECT_EQ(text.rfind("MPI_Bcast failed: ", 0), 0u) << text;
  EXPECT_GT(text.size(), std::string("MPI_Bcast failed: ").size());
  EXPECT_NO_THROW(check_mpi(MPI_SUCCESS, "MPI_Bcast"));
}

}  // namespace
}  // namespace weft
