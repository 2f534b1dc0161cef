// Running a plan allocates nothing and makes nothing in MPI; all that is done when it is made.
#include <gtest/gtest.h>

#include "local/local_transform.hpp"
#include "support/exchange_names.hpp"
#include "support/heap_count.hpp"
#include "support/mpi_count.hpp"
#include "support/plan_run.hpp"

namespace weft {
namespace {

using test::Bytes;

/// What a run made, as a text; nothing where it made nothing.
std::string made_by(Plan& plan, Direction direction, const Bytes& in, Bytes& out) {
  test::reset_heap_count();
  test::reset_mpi_count();
  test::execute(plan, direction, in.data(), out.data());
  const test::HeapCount heap = test::heap_count();
  const test::MpiCount mpi = test::mpi_count();
  std::string text;
  const auto add = [&](std::int64_t count, const char* what) {
    if (count != 0) text += std::to_string(count) + " " + what + " ";
  };
  add(heap.allocations, "allocations");
  add(mpi.communicators_made, "communicators");
  add(mpi.communicators_freed, "communicators freed");
  add(mpi.types_made, "datatypes");
  add(mpi.types_committed, "datatypes committed");
  add(mpi.types_freed, "datatypes freed");
  add(mpi.windows_made, "windows");
  return text;
}

struct Case {
  std::string exchange;
  bool reorder;
};

class NoAllocation : public testing::TestWithParam<Case> {
 protected:
  void check(const Problem& problem, Options options) {
    options.exchange = GetParam().exchange;
    options.reorder = GetParam().reorder;
    options.threads = 1;
    for (const LocalBackend& backend : local_backends()) {
      // The reference is for tests and allocates.
      if (backend.device != std::string("host") || !backend.usable() ||
          std::string(backend.name) == "reference") {
        continue;
      }
      options.local = backend.name;
      Plan plan(MPI_COMM_WORLD, problem, options);
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        const Bytes given = test::given_bytes(plan, direction, 1);
        Bytes in = given;
        Bytes out = test::poisoned(test::sink_of(plan, direction));
        for (int run = 0; run < 3; ++run) {
          in = given;
          EXPECT_EQ(made_by(plan, direction, in, out), "")
              << backend.name << (direction == Direction::forward ? " forward" : " backward")
              << ", run " << run;
        }
        EXPECT_LE(test::error_of(plan, direction, out.data(), 1), test::error_bound(plan));
      }
    }
  }
};

TEST_P(NoAllocation, Slabs) {
  check({.shape = {12, 10, 8}, .input = slab_split(0), .output = slab_split(1)}, {});
}

TEST_P(NoAllocation, RealPencils) {
  Options options;
  options.algorithm = Algorithm::pencil;
  check({.shape = {12, 10, 9},
         .kinds = r2c,
         .input = pencil_along(2),
         .output = pencil_along(0),
         .norm = Norm::ortho},
        options);
}

TEST_P(NoAllocation, RealBricksWithHaloInSmallTiles) {
  Options options;
  options.tile_bytes = 500;
  options.stream_bytes = 0;
  options.overwrite_input = true;
  check({.shape = {7, 10, 9},
         .kinds = {r2c, c2c, c2c},
         .input = brick().with_halo({1, 0, 2}, {0, 1, 1}),
         .output = brick().with_order({2, 0, 1}),
         .precision = Precision::f32},
        options);
}

TEST_P(NoAllocation, BatchesOfFields) {
  check({.shape = {12, 10},
         .kinds = r2c,
         .input = slab_split(0),
         .output = slab_split(1),
         .batch = 3,
         .interleaved = true},
        {});
}

TEST_P(NoAllocation, CosinesOfSomePointsAndFewModes) {
  check({.shape = {12, 10, 9},
         .kinds = {Kind::dct2, c2c, r2c},
         .input = slab_split(0),
         .output = slab_split(1),
         .input_points = {12, 7, 9},
         .modes = {5, 10, 6}},
        {});
}

TEST_P(NoAllocation, RedistributionAlone) {
  check({.shape = {12, 10}, .kinds = none, .input = slab_split(0), .output = slab_split(1)}, {});
}

/// Runs with options of their own; the first ones may learn which codec will do.
void check_settled(const Options& options) {
  Plan plan(MPI_COMM_WORLD,
            {.shape = {12, 16, 20}, .input = slab_split(0), .output = slab_split(1)}, options);
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const Bytes in = test::given_bytes(plan, direction, 1);
    Bytes out = test::poisoned(test::sink_of(plan, direction));
    for (int run = 0; run < 6; ++run) test::execute(plan, direction, in.data(), out.data());
    EXPECT_EQ(made_by(plan, direction, in, out), "")
        << options.codec << " chunks " << options.chunks;
  }
}

TEST_P(NoAllocation, InChunksAndWithCodecs) {
  Options options;
  options.exchange = GetParam().exchange;
  options.reorder = GetParam().reorder;
  options.threads = 1;
  for (const Index chunks : {Index{1}, Index{3}}) {
    options.chunks = chunks;
    options.fields_in_flight = static_cast<int>(chunks);
    options.tolerance.reset();
    for (const char* codec : {"none", "bfp:12", "trim:9", "cast:fp32"}) {
      if (options.exchange == "alltoallw" && codec != std::string("none")) continue;
      options.codec = codec;
      check_settled(options);
    }
    options.codec = "auto";
    options.tolerance = 1e-6;
    check_settled(options);
  }
}

TEST_P(NoAllocation, AfterATrace) {
  Options options;
  options.exchange = GetParam().exchange;
  options.chunks = 3;
  Plan plan(MPI_COMM_WORLD, {.shape = {12, 10, 8}, .input = slab_split(0), .output = slab_split(1)},
            options);
  const Bytes in = test::given_bytes(plan, Direction::forward, 1);
  Bytes out = test::poisoned(plan.output());
  plan.start_trace();
  EXPECT_NE(made_by(plan, Direction::forward, in, out), "");
  plan.stop_trace();
  EXPECT_EQ(made_by(plan, Direction::forward, in, out), "");
}

TEST(NoAllocationOnDevices, AfterTheFirstRuns) {
  for (const std::string& exchange : test::device_exchanges("emulated")) {
    Options options;
    options.device = "emulated";
    options.exchange = exchange;
    options.chunks = 3;
    check_settled(options);
  }
}

TEST_P(NoAllocation, InPlace) {
  Options options;
  options.exchange = GetParam().exchange;
  options.reorder = GetParam().reorder;
  options.threads = 1;
  Plan plan(MPI_COMM_WORLD,
            {.shape = {12, 10, 8},
             .kinds = r2c,
             .input = slab_split(0).padded_for_r2c(),
             .output = slab_split(0)},
            options);
  Bytes array = test::given_bytes(plan, Direction::forward, 1);
  EXPECT_EQ(made_by(plan, Direction::forward, array, array), "");
  EXPECT_EQ(made_by(plan, Direction::backward, array, array), "");
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const std::string& exchange : test::plan_exchanges()) {
    for (const bool reorder : {false, true}) cases.push_back({exchange, reorder});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Exchanges, NoAllocation, testing::ValuesIn(every_case()),
                         [](const auto& info) {
                           return test::as_test_name(info.param.exchange) +
                                  (info.param.reorder ? "_reorder" : "");
                         });

TEST(Counters, SeeWhatMakingAPlanTakes) {
  test::reset_heap_count();
  test::reset_mpi_count();
  Options options;
  options.exchange = "alltoallw";
  Plan plan(MPI_COMM_WORLD, {.shape = {12, 10}, .input = slab_split(0), .output = slab_split(1)},
            options);
  EXPECT_GT(test::heap_count().allocations, 10);
  EXPECT_GE(test::mpi_count().communicators_made, 1);
  if (test::world_size() > 1) {
    EXPECT_GT(test::mpi_count().types_committed, 0);
  }
}

}  // namespace
}  // namespace weft
