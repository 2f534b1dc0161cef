// Ranks that write to each other's memory: too little of it, nodes that are mixed with messages,
// and ranks that are late.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "support/compressed_run.hpp"
#include "support/pencils.hpp"
#include "support/random_distribution.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::both;
using test::expect_same_error;
using test::Field;
using test::pencils;
using test::with;
using test::world_rank;
using test::world_size;

class SharedMemory : public testing::Test {
 protected:
  ~SharedMemory() override { unsetenv("WEFT_RANKS_PER_NODE"); }
  static void pretend_ranks_per_node(int ranks) {
    setenv("WEFT_RANKS_PER_NODE", std::to_string(ranks).c_str(), 1);
  }

 private:
  const test::Watchdog watchdog_{100};
};

void expect_right(Plan& plan, const std::string& what) {
  for (const Direction direction : both) {
    EXPECT_LE(test::run_error(plan, direction), test::error_bound(plan)) << what;
  }
}

/// As a rank that may write small files only.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(SharedMemory, TooLittleIsToldOnAllRanksWithTheNumbers) {
  const int culprit = world_size() - 1;
  std::optional<FileLimit> limit;
  if (world_rank() == culprit) limit.emplace(rlim_t{1} << 11);
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils(), with("node_shared")); },
                    {"rank " + std::to_string(culprit) + ": ", "B of memory shared", "are needed",
                     "2 KiB are allowed by the limit on file sizes"},
                    ErrorCode::memory);
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, pencils(), with("node_shared:p2p", 3, 2)); },
                    {"2 KiB are allowed"}, ErrorCode::memory);
}

TEST_F(SharedMemory, WhereThereIsTooLittleAutoStandsForMessages) {
  for (const Index chunks : {Index{1}, Index{3}}) {
    std::optional<Plan> fallback;
    {
      std::optional<FileLimit> limit;
      if (world_rank() == 0) limit.emplace(rlim_t{1} << 11);
      fallback.emplace(MPI_COMM_WORLD, pencils(r2c), with("auto", chunks));
    }
    EXPECT_EQ(fallback->info().exchange, "p2p");
    expect_right(*fallback, "fallback");
    Plan shared(MPI_COMM_WORLD, pencils(r2c), with("auto", chunks));
    EXPECT_EQ(shared.info().exchange.rfind("node_shared", 0), 0u);
    expect_right(shared, "shared");
    expect_right(*fallback, "fallback beside shared");
  }
}

TEST_F(SharedMemory, MixesWithMessagesByAnyWire) {
  for (const int on_node : {1, 2, 3}) {
    pretend_ranks_per_node(on_node);
    for (const std::string wire : {"p2p", "alltoallv", "ialltoallv", "one_sided", "node_aware",
                                   "p2p_pipelined", "neighbor", "persistent", "alltoall"}) {
      for (const Index chunks : {Index{1}, Index{3}}) {
        for (const Kinds& kinds : {Kinds(c2c), Kinds(r2c)}) {
          Problem problem = pencils(kinds);
          problem.input = chunks == 1 ? pencil_along(2) : slab_split(0);
          problem.output = slab_split(1);
          Plan plan(MPI_COMM_WORLD, problem, with("node_shared:" + wire, chunks));
          const std::string what = wire + " nodes of " + std::to_string(on_node);
          expect_right(plan, what);
          expect_right(plan, what);
        }
      }
    }
  }
}

TEST_F(SharedMemory, OnlyWhatGoesByWireIsCompressed) {
  for (const int on_node : {1, 2}) {
    pretend_ranks_per_node(on_node);
    const auto the_case =
        test::make_case({.shape = {20, 15, 14}, .input = slab_split(0), .output = slab_split(1)},
                        Direction::forward, false, 3);
    for (const std::string codec : {"auto", "bfp:18", "lossless"}) {
      for (const std::string wire : {"p2p", "alltoallv", "one_sided"}) {
        Options options = with("node_shared:" + wire, 2);
        options.codec = codec;
        if (codec == "auto") options.tolerance = 1e-5;
        Plan plan(MPI_COMM_WORLD, the_case.problem, options);
        for (int run = 0; run < 4; ++run) {
          const double error = test::compressed_error(plan, the_case);
          EXPECT_LE(error, 1e-5) << codec << " " << wire;
          const Report report = plan.report();
          EXPECT_NEAR(error, report.error, 0.25 * report.error + test::error_bound(plan));
          if (codec != "lossless" && world_size() > on_node) {
            EXPECT_LT(test::bytes_of_all(plan), report.plain_bytes * world_size());
          }
        }
      }
    }
  }
}

TEST_F(SharedMemory, PlansAreMadeAndDestroyedManyTimesTwoAtATime) {
  std::optional<Plan> other;
  for (int making = 0; making < 25; ++making) {
    Plan plan(MPI_COMM_WORLD, pencils(making % 2 == 0 ? Kinds(c2c) : Kinds(r2c)),
              with("node_shared", 1 + making % 3));
    if (other) expect_right(*other, "the one before");
    expect_right(plan, "the new one");
    other.emplace(std::move(plan));
  }
}

/// Numbers that tell run, field and place.
Field field_of(const Plan& plan, int run) {
  Field field(static_cast<std::size_t>(plan.input().allocation_size));
  for (std::size_t i = 0; i < field.size(); ++i) {
    field[i] = {static_cast<double>((i * 31 + static_cast<std::size_t>(run) * 17) % 101),
                static_cast<double>(world_rank() + run)};
  }
  return field;
}

/// Runs of ranks that are late now and then, compared with those by messages.
void check_late_ranks(const Problem& problem, const Options& options, int runs) {
  Plan plan(MPI_COMM_WORLD, problem, options);
  Options by_messages = options;
  by_messages.exchange = "p2p";
  Plan reference(MPI_COMM_WORLD, problem, by_messages);
  test::Random common(7), own(100 + static_cast<std::uint64_t>(world_rank()));
  int wrong = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<Field> in, out, expected;
    const std::size_t fields = options.fields_in_flight > 1 ? 5 : 1;
    for (std::size_t i = 0; i < fields; ++i) {
      in.push_back(field_of(plan, run * 5 + static_cast<int>(i)));
      expected.emplace_back(static_cast<std::size_t>(plan.output().allocation_size));
    }
    out = expected;
    if (fields > 1) {
      reference.forward_many(in, expected);
    } else {
      reference.forward(in[0], expected[0]);
    }
    const int late = static_cast<int>(common.below(world_size()));
    const auto delay = [&] {
      if (world_rank() == late || own.chance(5)) usleep(static_cast<useconds_t>(own.below(800)));
    };
    delay();
    if (fields > 1) {
      plan.forward_many(in, out);
    } else {
      plan.start_forward(in[0], out[0]);
      if (run % 3 == 0) {
        while (!plan.test()) delay();
      } else {
        delay();
        plan.wait();
      }
    }
    if (out != expected) ++wrong;
    delay();
    std::vector<Field> back(fields, Field(in[0].size()));
    plan.backward_many(out, back);
    for (std::size_t i = 0; i < fields; ++i) {
      for (std::size_t k = 0; k < back[i].size(); ++k) {
        if (!(std::abs(back[i][k] - in[i][k]) < 1e-9)) {
          ++wrong;
          break;
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0) << options.exchange << " chunks " << options.chunks;
}

TEST_F(SharedMemory, LateRanksSpoilNothing) {
  Problem slabs = pencils();
  slabs.input = slab_split(0);
  slabs.output = slab_split(1);
  check_late_ranks(slabs, with("node_shared"), 150);
  check_late_ranks(pencils(), with("node_shared", 3), 100);
  check_late_ranks(slabs, with("node_shared", 1, 2), 60);
  check_late_ranks(slabs, with("node_shared:p2p", 2, 3), 60);
}

TEST_F(SharedMemory, LateRanksSpoilNothingBesideMessages) {
  pretend_ranks_per_node(2);
  Problem slabs = pencils();
  slabs.input = slab_split(0);
  slabs.output = slab_split(1);
  check_late_ranks(slabs, with("node_shared:p2p"), 60);
  check_late_ranks(pencils(), with("node_shared:alltoallv", 2), 60);
  check_late_ranks(slabs, with("node_shared:node_aware", 2, 2), 40);
}

}  // namespace
}  // namespace weft
