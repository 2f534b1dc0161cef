// Messages kept moving by a thread of the plan: the same results, in every way to run.
#include <gtest/gtest.h>

#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::world_rank;

using Field = std::vector<std::complex<double>>;

class ThreadProgress : public testing::Test {
 protected:
  void SetUp() override {
    int level = 0;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI offers no MPI_THREAD_MULTIPLE";
  }

 private:
  const test::Watchdog watchdog_{100};
};

Problem long_pencils() {
  return {.shape = {16, 12, 40}, .input = pencil_along(2), .output = pencil_along(0)};
}

struct Case {
  std::string exchange;
  std::string codec = "none";
  Index chunks = 1;
  int threads = 1;
};

Options options_of(const Case& the_case, ProgressBy progress) {
  Options options;
  options.algorithm = Algorithm::pencil;
  options.exchange = the_case.exchange;
  options.codec = the_case.codec;
  options.chunks = the_case.chunks;
  options.threads = the_case.threads;
  options.tile_bytes = 2000;  // many tiles
  options.fields_in_flight = 2;
  options.progress = progress;
  return options;
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const std::string& exchange : test::plan_exchanges()) {
    result.push_back({exchange});
    result.push_back({exchange, "none", 3, 2});
    if (exchange != "alltoallw") result.push_back({exchange, "bfp:18", 3, 2});
  }
  result.push_back({"p2p", "lossless", 2, 1});
  return result;
}

TEST_F(ThreadProgress, GivesTheBitsOfPolling) {
  for (const Case& the_case : cases()) {
    Plan polling(MPI_COMM_WORLD, long_pencils(), options_of(the_case, ProgressBy::polling));
    Plan plan(MPI_COMM_WORLD, long_pencils(), options_of(the_case, ProgressBy::thread));
    const auto in_size = static_cast<std::size_t>(plan.input().allocation_size);
    const auto out_size = static_cast<std::size_t>(plan.output().allocation_size);
    std::vector<Field> in, expected, returned;
    for (int i = 0; i < 3; ++i) {
      Field field(in_size);
      for (std::size_t k = 0; k < in_size; ++k) {
        field[k] = {static_cast<double>(k * 7 % 13) + i, static_cast<double>(world_rank())};
      }
      in.push_back(field);
      expected.emplace_back(out_size);
      returned.emplace_back(in_size);
      polling.forward(in.back(), expected.back());
      polling.backward(expected.back(), returned.back());
    }
    const std::string what =
        the_case.exchange + " " + the_case.codec + " chunks " + std::to_string(the_case.chunks);
    for (int repetition = 0; repetition < 2; ++repetition) {
      Field out(out_size), back(in_size);
      plan.forward(in[0], out);
      EXPECT_TRUE(out == expected[0]) << what;
      plan.start_backward(out, back);
      while (!plan.test()) continue;
      EXPECT_TRUE(back == returned[0]) << what;
      std::vector<Field> outs(3, Field(out_size));
      plan.forward_many(in, outs);
      EXPECT_TRUE(outs == expected) << what;
    }
    Field out(out_size);
    plan.start_forward(in[0], out);
    plan = Plan(MPI_COMM_WORLD, long_pencils(),
                options_of(the_case, ProgressBy::thread));  // destroys it under way
  }
}

}  // namespace
}  // namespace weft
